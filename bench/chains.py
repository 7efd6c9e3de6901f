"""The other systems of the study of chains: CRFsuite and NLTK's perceptron on the same features or words, hmmlearn from many starts."""

import importlib.metadata
import logging
import os
import tempfile
import time
from random import seed as seed_dice

import numpy
from hmmlearn import hmm
from peers import question, reply

logging.getLogger("hmmlearn").setLevel(logging.ERROR)
VERSIONS = {name: importlib.metadata.version(name) for name in ("hmmlearn", "python-crfsuite", "nltk")}


def by_crfsuite(asked):
    import pycrfsuite

    trainer = pycrfsuite.Trainer(verbose=False, algorithm=asked["settings"]["algorithm"])
    trainer.set_params(asked["settings"].get("params", {}))
    for features, tags in zip(asked["train"]["features"], asked["train"]["tags"]):
        trainer.append([[str(f) for f in step] for step in features], tags)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        begun = time.process_time()
        trainer.train(path)
        seconds = time.process_time() - begun
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        known = set(tagger.labels())
        predicted, loss, tokens = [], 0.0, 0
        for features, tags in zip(asked["test"]["features"], asked["test"]["tags"]):
            predicted.append(tagger.tag([[str(f) for f in step] for step in features]))
            if all(tag in known for tag in tags):
                loss -= numpy.log(max(tagger.probability(tags), 1e-300))
                tokens += len(tags)
        tagger.close()
    return {"predicted": predicted, "seconds": seconds, "logLoss": loss / tokens}


def by_nltk(asked):
    from nltk.tag.perceptron import PerceptronTagger

    seed_dice(asked["seed"])  # it shuffles its sentences by random
    tagger = PerceptronTagger(load=False)
    train = [list(zip(words, tags)) for words, tags in zip(asked["train"]["words"], asked["train"]["tags"])]
    begun = time.process_time()
    tagger.train(train, nr_iter=asked["settings"]["iterations"])
    seconds = time.process_time() - begun
    predicted = [[tag for _, tag in tagger.tag(words)] for words in asked["test"]["words"]]
    return {"predicted": predicted, "seconds": seconds}


OFF = dict(startprob_prior=1, transmat_prior=1, implementation="scaling")


def made(kind, k, **more):
    if kind == "gaussian":
        return hmm.GaussianHMM(
            n_components=k, covariance_type="diag", min_covar=0, means_prior=0, means_weight=0,
            covars_prior=0, covars_weight=1, **OFF, **more,
        )
    return hmm.PoissonHMM(n_components=k, lambdas_prior=0, lambdas_weight=0, **OFF, **more)


def cells(kind, values):
    return numpy.array(values, float if kind == "gaussian" else int)[:, None]


def by_hmmlearn(asked):
    """The best log-likelihood of many starts, every prior off."""
    X, found = cells(asked["kind"], asked["values"]), []
    for seed in range(asked["restarts"]):
        model = made(asked["kind"], asked["states"], n_iter=1000, tol=1e-6, random_state=seed)
        model.fit(X)
        found.append(model.score(X))
    return {"best": max(found), "each": found}


SYSTEMS = {"crfsuite": by_crfsuite, "nltk": by_nltk, "hmmlearn": by_hmmlearn}
asked = question()
reply(**SYSTEMS[asked["system"]](asked), peers=VERSIONS)
