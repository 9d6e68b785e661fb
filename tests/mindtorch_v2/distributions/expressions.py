"""Expressions whose value, or complaint, is the same on PyTorch (tools/record_distributions.py) and here."""

from __future__ import annotations

import warnings
from typing import Any

DISTRIBUTIONS = [
    "D.Normal(T([1.,2.]),T([-1.,2.]))", "D.Normal(0.,1.).log_prob(3)", "D.Normal(0.,1.).log_prob(T(float('nan')))",
    "D.Normal(T([0.,1.]),1.).log_prob(torch.zeros(3))", "D.Normal('a',1.)", "D.Bernoulli()", "D.Bernoulli(0.3,0.2)",
    "D.Bernoulli(2)", "D.Bernoulli(T(0.5),validate_args=False)._validate_args", "D.Categorical(T(0.5))",
    "D.Categorical()", "D.Categorical(T([0.5,0.5]),T([0.5,0.5]))", "D.Categorical(T([-0.5,0.5]))", "D.Uniform(1.,0.)",
    "D.Uniform(T([0.,1.]),T([1.,2.])).log_prob(T(5.))", "D.Geometric(0.)", "D.Geometric()",
    "D.Distribution().log_prob(1)", "D.Distribution().mean", "D.Distribution().stddev", "D.Distribution().mode",
    "D.Distribution()", "D.Distribution(torch.Size([2])).support", "D.Distribution().expand((2,))",
    "D.Distribution().perplexity()", "D.Distribution()._extended_shape(3)", "D.Distribution()._extended_shape((3,))",
    "D.Distribution()._extended_shape([3])", "D.Normal(0.,1.).expand(3)", "D.Normal(0.,1.).expand([3])",
    "U.broadcast_all(1,'a')", "U.broadcast_all()", "U.broadcast_all(1,2.)", "U.broadcast_all(T(1),2.)",
    "U.broadcast_all(torch.zeros(2,dtype=torch.float64),1)", "D.Independent(D.Normal(0.,1.),1)",
    "D.TransformedDistribution(D.Normal(0.,1.),3)", "D.TransformedDistribution(D.Normal(0.,1.),[3])",
    "D.TransformedDistribution(D.Normal(0.,1.),[D.StickBreakingTransform()])", "D.Binomial(3)",
    "D.Binomial(T([3.5]),0.5)", "D.Binomial(3,T(0.5)).log_prob(T(4.))", "D.Multinomial(3.5,T([0.5,0.5]))",
    "D.Multinomial(T([3.]),T([0.5,0.5]))", "D.Multinomial(3)", "D.OneHotCategorical(T([0.5,.5])).log_prob(T([1.,1.]))",
    "D.Beta(-1.,1.)", "D.Dirichlet(1.)", "D.Dirichlet(T(1.))", "D.MultivariateNormal(T(1.),T([[1.]]))",
    "D.MultivariateNormal(T([1.]))", "D.MultivariateNormal(T([1.]),T([[1.]]),T([[1.]]))",
    "D.MultivariateNormal(T([1.]),T([1.]))", "D.MultivariateNormal(T([1.]),precision_matrix=T([1.]))",
    "D.MultivariateNormal(T([1.]),scale_tril=T([1.]))", "D.MultivariateNormal(T([1.,2.]),T([[1.,2.],[2.,1.]]))",
    "D.LowRankMultivariateNormal(T(1.),T([[1.]]),T([1.]))", "D.LowRankMultivariateNormal(T([1.]),T([1.]),T([1.]))",
    "D.LowRankMultivariateNormal(T([1.]),T([[1.],[2.]]),T([1.]))",
    "D.LowRankMultivariateNormal(T([1.]),T([[1.]]),T([1.,2.]))",
    "D.LowRankMultivariateNormal(T([1.]),T([[1.]]).expand(3,1,1),T([1.]).expand(2,1))", "D.Wishart(T(1.),T([[1.]]))",
    "D.Wishart(T(-1.),torch.eye(2))", "D.Wishart(T(1.5),torch.eye(2))", "D.Wishart(T(3.))", "D.Wishart(T(3.),T([1.]))",
    "D.Wishart(T(1.),torch.eye(2),validate_args=False)", "D.LKJCholesky(1)", "D.LKJCholesky(3,-1.)",
    "D.VonMises(0.,1.)", "D.RelaxedBernoulli(T(1.))", "D.RelaxedOneHotCategorical(T(1.))",
    "D.RelaxedBernoulli(T(1.),T(.5),T(.5))", "D.NegativeBinomial(3.)", "D.NegativeBinomial(3.,T(1.))",
    "D.ContinuousBernoulli()", "D.ContinuousBernoulli(2.)",
    "D.ContinuousBernoulli(T(.3),lims=(0.1,0.2),validate_args=True)", "D.MixtureSameFamily(3,4)",
    "D.MixtureSameFamily(D.Categorical(T([.5,.5])),4)",
    "D.MixtureSameFamily(D.Categorical(T([.5,.5])),D.Normal(torch.zeros(3),1.))",
    "D.MixtureSameFamily(D.Categorical(torch.ones(3,2)),D.Normal(torch.zeros(2,2),1.))",
    "D.MixtureSameFamily(D.Categorical(torch.ones(3,2)),D.Normal(torch.zeros(2),1.))",
    "D.kl_divergence(D.Normal(0.,1.),D.Categorical(T([1.])))",
    "D.kl_divergence(D.Binomial(3,T(.5)),D.Binomial(2,T(.5)))",
    "D.kl_divergence(D.Binomial(2,T(.5)),D.Binomial(3,T(.5)))",
    "D.kl_divergence(D.Independent(D.Normal(torch.zeros(2),1.),1),D.Independent(D.Normal(torch.zeros(2,2),1.),2))",
    "D.kl_divergence(D.TransformedDistribution(D.Normal(0.,1.),D.ExpTransform()),"
    "D.TransformedDistribution(D.Normal(0.,1.),D.TanhTransform()))",
    "D.identity_transform", "D.TransformedDistribution(D.Uniform(0.,1.),D.StickBreakingTransform()).event_shape",
    "D.TransformedDistribution(D.Normal(0.,1.).expand((3,)),D.AbsTransform()).cdf(torch.ones(3))",
    "D.TransformedDistribution(D.Normal(torch.zeros(2),1.),D.StickBreakingTransform()).support",
    "D.TransformedDistribution(D.Normal(torch.zeros(2),1.),[])",
    "D.TransformedDistribution(D.Normal(torch.zeros(2),1.),[D.ExpTransform()]).support",
    "D.TransformedDistribution(D.Normal(torch.zeros(2),1.),[D.ReshapeTransform((2,),(2,1))]).support",
    "D.TransformedDistribution(D.Bernoulli(.5),[D.ExpTransform()]).rsample()",
    "D.TransformedDistribution(D.Normal(torch.zeros(2),1.),D.StickBreakingTransform())",
    "D.TransformedDistribution(D.Normal(torch.zeros(2),1.),D.StickBreakingTransform()).base_dist",
]
CONSTRAINTS = [
    "C.Constraint().check(1)", "C.independent(C.real,1)", "C.independent(C.real,1).check(T(1.))", "C.independent(3,1)",
    "C.independent(C.real,'a')", "C.independent(C.real,-1)", "C.MixtureSameFamilyConstraint(3)",
    "C.MixtureSameFamilyConstraint(C.real_vector)", "C.cat([3])", "C.cat([C.real],0,[2,3])", "C.stack([3])",
    "C.dependent.is_discrete", "C.dependent.event_dim", "C.dependent.check(1)",
    "C.dependent(is_discrete=True,event_dim=2).event_dim", "C.is_dependent(C.dependent_property())",
    "C.is_dependent(C.real)", "C.cat([C.real])", "C.stack([C.real])", "C.multinomial(3)", "C.less_than(2)",
    "C.integer_interval(1,2)", "C.half_open_interval(1,2)", "C._IntegerLessThan(3)",
    "C.dependent_property(lambda s:1).event_dim", "C.cat([C.real,C.boolean]).is_discrete",
    "C.stack([C.real,C.real_vector],-2).event_dim", "C.stack([C.real,C.real_vector],0).event_dim",
    "C.cat([C.real,C.real_vector]).event_dim", "C.stack([C.real],0).check(T(1.))", "C.cat([C.real],5).check(T(1.))",
    "C.one_hot", "C.positive_semidefinite.check(torch.eye(2))", "C.symmetric.check(torch.ones(2,3))",
]
TRANSFORMS = [
    "D.Transform(2)", "D.Transform(1)", "D.Transform()==D.Transform()", "D.Transform().sign", "D.Transform()(T(1.))",
    "D.Transform().inv(T(1.))", "D.Transform().log_abs_det_jacobian(1,2)", "D.Transform().with_cache(2)",
    "D.ExpTransform(cache_size=1).with_cache()", "D.ExpTransform().inv", "D.ExpTransform().inv.inv",
    "D.ExpTransform().inv.with_cache()", "D.ComposeTransform([])",
    "D.ComposeTransform([D.ExpTransform(),D.TanhTransform()])",
    "D.ComposeTransform([D.ExpTransform(),D.TanhTransform()]).inv", "D.IndependentTransform(D.ExpTransform(),1)",
    "D.IndependentTransform(D.ExpTransform(),1).inv", "D.ReshapeTransform((2,),(3,))",
    "D.ReshapeTransform((2,),(2,1)).forward_shape((3,))", "D.ReshapeTransform((2,),(2,1)).forward_shape(())",
    "D.ReshapeTransform((2,),(2,1)).inverse_shape(())", "D.ReshapeTransform((2,),(2,1)).inverse_shape((3,3))",
    "D.StickBreakingTransform().forward_shape(())", "D.StickBreakingTransform().inverse_shape(())",
    "D.SoftmaxTransform().forward_shape(())", "D.CorrCholeskyTransform().forward_shape(())",
    "D.CorrCholeskyTransform().forward_shape((4,))", "D.CorrCholeskyTransform().inverse_shape((4,))",
    "D.CorrCholeskyTransform().inverse_shape((4,3))", "D.CorrCholeskyTransform().forward_shape((3,))",
    "D.CorrCholeskyTransform().inverse_shape((4,4))", "D.IndependentTransform(D.ExpTransform(),1).forward_shape(())",
    "D.AffineTransform(T([1.,2.]),1.).forward_shape((3,1))", "D.PowerTransform(T([1.,2.])).inverse_shape((3,1))",
    "D.AffineTransform(1.,2.,event_dim=1).domain", "D.AffineTransform(1.,2.,event_dim=2).domain",
    "D.AffineTransform(1.,2.).sign", "D.AffineTransform(1.,T([2.,-1.])).sign",
    "D.AffineTransform(1.,-2)==D.AffineTransform(1.,-2)", "D.AffineTransform(1.,-2)==D.AffineTransform(T(1.),-2)",
    "D.AbsTransform().inv(T(3.))", "D.AbsTransform().log_abs_det_jacobian(T(1.),T(1.))", "D.AbsTransform().sign",
    "D.ComposeTransform([D.ExpTransform(),D.AffineTransform(0.,-1.)]).sign", "D.ComposeTransform([]).domain",
    "D.ComposeTransform([D.StickBreakingTransform(),D.ExpTransform()]).domain",
    "D.ComposeTransform([D.StickBreakingTransform(),D.ExpTransform()]).codomain",
    "D.ComposeTransform([D.ExpTransform(),D.StickBreakingTransform()]).domain", "D.CatTransform([3])",
    "D.StackTransform([3])", "D.StackTransform([D.ExpTransform()]).domain",
    "D.CatTransform([D.ExpTransform()]).domain", "D.CatTransform([D.ExpTransform()],0,[2]).length",
    "D.CatTransform([D.ExpTransform()],0,[2])(torch.zeros(3))", "D.StackTransform([D.ExpTransform()])(torch.zeros(2))",
    "D.CumulativeDistributionTransform(D.Normal(0.,1.))", "D.CumulativeDistributionTransform(D.Normal(0.,1.)).domain",
    "D.SoftmaxTransform().log_abs_det_jacobian(T([1.]),T([1.]))", "D.PowerTransform(2).sign",
    "D.PowerTransform(T(2.)).sign", "D.PowerTransform(T(2.))==D.PowerTransform(2.)",
    "D.LowerCholeskyTransform().domain", "D.ExpTransform() == D.ExpTransform().inv",
    "D.ExpTransform().inv == D.ExpTransform().inv", "D.ReshapeTransform((2,),(2,1)).domain",
    "D.TanhTransform(1)._cache_size", "D.SigmoidTransform().inv.sign",
]
REGISTRIES = [
    "D.biject_to(C.dependent)", "D.biject_to(C.boolean)", "D.biject_to.register(3,lambda c:1)",
    "D.transform_to(C.positive)", "D.biject_to(C.positive)", "D.biject_to(C.unit_interval)",
    "D.transform_to(C.interval(1,3))", "D.transform_to(C.less_than(T(3.)))", "D.biject_to(C.simplex)",
    "D.transform_to(C.simplex)", "D.transform_to(C.real_vector)", "D.transform_to(C.lower_cholesky)",
    "D.transform_to(C.corr_cholesky)", "D.transform_to(C.positive_definite)",
    "D.transform_to(C.cat([C.real,C.positive],0,[1,1]))", "D.transform_to(C.stack([C.real,C.positive],0))",
    "D.biject_to(C.greater_than_eq(2))", "D.biject_to(C.half_open_interval(2,3))",
    "D.biject_to(C.positive_semidefinite)", "D.biject_to(C.lower_cholesky)", "D.biject_to(C.nonnegative)",
]
ALL = [*DISTRIBUTIONS, *CONSTRAINTS, *TRANSFORMS, *REGISTRIES]


def said(torch: Any, expression: str) -> str:
    """An expression's value as text, or its complaint, without the name of the package."""
    D = torch.distributions
    scope = {"torch": torch, "D": D, "C": D.constraints, "U": D.utils, "T": torch.tensor}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            text = repr(eval(expression, scope))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
    return text.replace("mindtorch_v2.", "torch.")
