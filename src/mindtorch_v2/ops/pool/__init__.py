"""Windows over signals, images and volumes: the largest elements, the means, and unpooling."""
