"""Modules that torch has at another address than we do: names below torch, and below mindtorch_v2."""

ADDRESSES = {
    "autograd.anomaly_mode": "autograd.anomaly",
    "distributed._composable": "distributed",
    "distributed._composable.fsdp": "distributed.fsdp",
    "optim._adafactor": "optim.adafactor",
    "optim._muon": "optim.muon",
    "utils.benchmark.utils": "utils.benchmark",
    "utils.benchmark.utils.common": "utils.benchmark.measurement",
    "utils.benchmark.utils.compare": "utils.benchmark.compare",
    "utils.benchmark.utils.timer": "utils.benchmark.timer",
    "utils.data.datapipes.iter.filelister": "utils.data.datapipes.iter.files",
    "utils.data.datapipes.iter.fileopener": "utils.data.datapipes.iter.files",
    "utils.data.datapipes.iter.sharding": "utils.data.datapipes.iter.selecting",
    "utils.data.datapipes.iter.streamreader": "utils.data.datapipes.iter.files",
    "utils.data.datapipes.map.callable": "utils.data.datapipes.map.pipes",
    "utils.data.datapipes.map.combinatorics": "utils.data.datapipes.map.pipes",
    "utils.data.datapipes.map.combining": "utils.data.datapipes.map.pipes",
    "utils.data.datapipes.map.grouping": "utils.data.datapipes.map.pipes",
    "utils.data.datapipes.map.utils": "utils.data.datapipes.map.pipes",
}
