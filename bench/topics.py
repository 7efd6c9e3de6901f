"""Other systems' topics on the documents of topics.ts: their words per topic and their α, for the evaluator there.

    python topics.py question.json answer.json

Documents are (word, count) pairs. `system` says who learns, `settings` how; one thread each. `seconds` is the processor
time of the fit alone. The classifiers answer with the labels they predict for the test documents.
"""

import base64
import time
import warnings

import gensim
import numpy
import tomotopy
from gensim.models import LdaModel
from peers import question, reply
from scipy.sparse import csr_matrix
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.linear_model import LogisticRegression

warnings.simplefilter("ignore")


def tokens(document):
    return [str(word) for word, count in document for _ in range(count)]


def encoded(phi):
    """topics × words, each topic a distribution, as bytes."""
    phi = numpy.asarray(phi, dtype=numpy.float64)
    phi = phi / phi.sum(axis=1, keepdims=True)
    return base64.b64encode(phi.astype("<f8").tobytes()).decode("ascii")


def words_of(model, words):
    """tomotopy orders words by their frequency; here they are back in ours."""
    at = numpy.array([int(word) for word in model.used_vocabs])
    phi = numpy.full((model.k, words), 1e-300)
    for topic in range(model.k):
        phi[topic, at] = model.get_topic_word_dist(topic)
    return phi


def by_tomotopy(asked):
    model = tomotopy.LDAModel(k=asked["topics"], alpha=0.1, eta=0.01, seed=asked["seed"] + 1)
    for document in asked["train"]:
        if document:
            model.add_doc(tokens(document))
    start = time.process_time()
    model.train(asked["settings"]["sweeps"], workers=1)
    seconds = time.process_time() - start
    return words_of(model, asked["words"]), numpy.asarray(model.alpha, float), seconds


def by_gensim(asked):
    settings = dict(asked["settings"])
    start = time.process_time()
    model = LdaModel(
        asked["train"],
        id2word={word: str(word) for word in range(asked["words"])},
        num_topics=asked["topics"],
        alpha="auto",
        eval_every=None,
        random_state=asked["seed"],
        dtype=numpy.float64,
        **settings,
    )
    seconds = time.process_time() - start
    return model.get_topics(), numpy.asarray(model.alpha, float), seconds


def by_sklearn(asked):
    offsets = numpy.cumsum([0] + [len(document) for document in asked["train"]])
    entries = [entry for document in asked["train"] for entry in document]
    columns, counts = [w for w, _ in entries], [float(c) for _, c in entries]
    x = csr_matrix((counts, columns, offsets), shape=(len(asked["train"]), asked["words"]))
    start = time.process_time()
    model = LatentDirichletAllocation(
        n_components=asked["topics"], learning_method="batch", random_state=asked["seed"], **asked["settings"]
    ).fit(x)
    seconds = time.process_time() - start
    return model.components_, numpy.full(asked["topics"], model.doc_topic_prior_), seconds


def logistic(train, labels, test):
    model = LogisticRegression(C=10.0, max_iter=2000).fit(train, labels)
    return [str(label) for label in model.predict(test)]


def by_tomotopy_and_logistic(asked):
    """Unsupervised topics, then logistic regression on the proportions or on their logarithms: both are answered."""
    model = tomotopy.LDAModel(k=asked["topics"], alpha=0.1, eta=0.01, seed=asked["seed"] + 1)
    known = [i for i, document in enumerate(asked["train"]) if document]
    for i in known:
        model.add_doc(tokens(asked["train"][i]))
    model.train(asked["settings"]["sweeps"], workers=1)
    prior = numpy.asarray(model.alpha, float) / numpy.sum(model.alpha)
    train = numpy.tile(prior, (len(asked["train"]), 1))
    for i, document in zip(known, model.docs):
        train[i] = document.get_topic_dist()
    test = infer(model, asked["test"], prior)
    return {
        "proportions": logistic(train, asked["trainLabels"], test),
        "logarithms": logistic(numpy.log(train + 1e-6), asked["trainLabels"], numpy.log(test + 1e-6)),
    }


def infer(model, documents, empty):
    """The proportions of new documents; those with no known word have the proportions of the prior."""
    seen = set(model.used_vocabs)
    found = numpy.tile(numpy.asarray(empty, float), (len(documents), 1))
    for i, document in enumerate(documents):
        words = [word for word in tokens(document) if word in seen]
        if words:
            found[i] = model.infer(model.make_doc(words), iterations=100)[0]
    return found


def by_labelled_lda(asked):
    """Labelled LDA: one topic per class; the class of the largest proportion."""
    model = tomotopy.PLDAModel(latent_topics=0, topics_per_label=1, alpha=0.1, eta=0.01, seed=asked["seed"] + 1)
    for document, label in zip(asked["train"], asked["trainLabels"]):
        if document:
            model.add_doc(tokens(document), labels=[label])
    model.train(asked["settings"]["sweeps"], workers=1)
    levels = list(model.topic_label_dict)
    shares = numpy.array([asked["trainLabels"].count(level) for level in levels], float)
    found = infer(model, asked["test"], shares / shares.sum())
    return {"proportions": [levels[i] for i in found[:, : len(levels)].argmax(axis=1)]}


def by_supervised_lda(asked):
    """Supervised LDA with a binary response per class; the class of the largest response."""
    levels = sorted(set(asked["trainLabels"]))
    model = tomotopy.SLDAModel(
        k=asked["topics"], vars="b" * len(levels), alpha=0.1, eta=0.01, seed=asked["seed"] + 1
    )
    for document, label in zip(asked["train"], asked["trainLabels"]):
        if document:
            model.add_doc(tokens(document), y=[float(label == level) for level in levels])
    model.train(asked["settings"]["sweeps"], workers=1)
    seen = set(model.used_vocabs)
    common = max(levels, key=asked["trainLabels"].count)
    found = []
    for document in asked["test"]:
        words = [word for word in tokens(document) if word in seen]
        if not words:
            found.append(common)
            continue
        made = model.make_doc(words)
        model.infer(made, iterations=100)
        found.append(levels[int(numpy.argmax(model.estimate(made)))])
    return {"response": found}


TOPICS = {"tomotopy": by_tomotopy, "gensim": by_gensim, "scikit-learn": by_sklearn}
CLASSIFIERS = {
    "tomotopy LDA + LR": by_tomotopy_and_logistic,
    "tomotopy LLDA": by_labelled_lda,
    "tomotopy SLDA": by_supervised_lda,
}
asked = question()
versions = {"tomotopy": tomotopy.__version__, "gensim": gensim.__version__}
if asked["system"] in TOPICS:
    phi, alpha, seconds = TOPICS[asked["system"]](asked)
    reply(phi=encoded(phi), alpha=alpha.tolist(), seconds=seconds, peers=versions)
else:
    reply(predicted=CLASSIFIERS[asked["system"]](asked), peers=versions)
