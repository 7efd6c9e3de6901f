"""scikit-learn's and LIBLINEAR's side of the race: python peers.py JOB, with the protocol of ours.ts.

Lines on the standard input are answered in JSON: "round" with the seconds of one timed call by the clock and of the processor,
"result" with what is compared, "end" with the peak of memory. Data is in memory as float64, row after row, before the clock starts.
"""

import gzip
import json
import os
import resource
import sys
import time
import warnings

import numpy

warnings.simplefilter("ignore")
asked = json.loads(sys.argv[1])
kind, size, folder = asked["kind"], asked["size"], asked["folder"]
rows, columns, classes = size["rows"], size["columns"], size["classes"]
COMPARED = 1000


def clocked(work):
    cpu, start = time.process_time(), time.perf_counter()
    value = work()
    return {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu}, value


def numbers():
    # row after row in the file already, so that no second copy counts as theirs
    return numpy.fromfile(os.path.join(folder, "rows.f64")).reshape(rows, columns)


def labels():
    return numpy.fromfile(os.path.join(folder, "y.i32"), dtype=numpy.int32)


def whole(work, compare):
    """The whole of `work` is timed; `compare` of what it gives is compared."""
    return lambda: clocked(work)[0], lambda: numpy.asarray(compare(work())).ravel()


# ── mixtures ──────────────────────────────────────────────────────────────────────────────────────


def mixture(covariance):
    from sklearn.mixture import GaussianMixture

    x = numbers()
    start = numpy.fromfile(os.path.join(folder, "start.f64"))
    weights, means = start[:classes], start[classes : classes * (1 + columns)].reshape(classes, columns)
    precision = 1 / start[classes * (1 + columns) :]
    precisions = numpy.array([numpy.diag(precision) if covariance == "full" else precision] * classes)

    class Timed(GaussianMixture):
        def _e_step(self, X, **how):
            self.times.append((time.perf_counter(), time.process_time()))
            return super()._e_step(X, **how)

    def fitted():
        model = Timed(
            classes,
            covariance_type=covariance,
            tol=0,
            reg_covar=0,
            max_iter=asked["iterations"],
            weights_init=weights,
            means_init=means,
            precisions_init=precisions,
        )
        model.times = []
        return model.fit(x)

    def round():
        times = fitted().times[: asked["iterations"]]
        steps = len(times) - 2
        (first, first_cpu), (last, last_cpu) = times[1], times[-1]
        return {"seconds": (last - first) / steps, "cpu": (last_cpu - first_cpu) / steps}

    def result():
        model = fitted()
        return numpy.concatenate([model.weights_, model.means_.ravel()])

    return round, result


# ── tables ────────────────────────────────────────────────────────────────────────────────────────


def gaussian_fit():
    from sklearn.naive_bayes import GaussianNB

    x, y = numbers(), labels()
    return whole(lambda: GaussianNB(var_smoothing=0).fit(x, y), lambda model: model.predict_proba(x[:COMPARED]))


def gaussian_posterior():
    from sklearn.naive_bayes import GaussianNB

    x, y = numbers(), labels()
    model = GaussianNB(var_smoothing=0).fit(x, y)
    return whole(lambda: model.predict_proba(x), lambda all: all[:COMPARED])


def fit_and_predict(make, x):
    y = labels()

    def work():
        model = make().fit(x, y)
        model.predict(x)
        return model

    return whole(work, lambda model: model.predict_proba(x[:COMPARED]))


def lda():
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    # the fastest of its solvers on such data
    return fit_and_predict(lambda: LinearDiscriminantAnalysis(solver="lsqr"), numbers())


def qda():
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    return fit_and_predict(QuadraticDiscriminantAnalysis, numbers())


def bernoulli():
    from scipy.sparse import csr_matrix
    from sklearn.naive_bayes import BernoulliNB

    return fit_and_predict(lambda: BernoulliNB(alpha=1, binarize=None), csr_matrix(numbers()))


def categorical():
    from sklearn.naive_bayes import CategoricalNB

    return fit_and_predict(lambda: CategoricalNB(alpha=1), numbers().astype(numpy.int64))


# ── words ─────────────────────────────────────────────────────────────────────────────────────────

FILES = {"20ng": ("20ng/20ng-{}-stemmed.txt.gz", False), "imdb": ("imdb/imdb-{}.tsv.gz", True)}


def documents(part="train"):
    file, header = FILES[size["corpus"]]
    with gzip.open(os.path.join(asked["data"], file.format(part)), "rb") as source:
        lines = source.read().decode().rstrip("\n").split("\n")[1 if header else 0 :]
    cells = [(line[: line.index("\t")], line[line.rindex("\t") + 1 :]) for line in lines]
    return [text for _, text in cells], numpy.array([label for label, _ in cells])


def vectorizer(**options):
    from sklearn.feature_extraction.text import CountVectorizer

    # stemmed words stand between spaces: splitting there is the fastest way, and the words are the same
    if size["corpus"] == "20ng":
        return CountVectorizer(analyzer=str.split, dtype=numpy.float64, **options)
    return CountVectorizer(token_pattern=r"(?u)[^\W_]+", dtype=numpy.float64, **options)


def multinomial(timed):
    from sklearn.naive_bayes import MultinomialNB

    texts, y = documents()
    words = vectorizer()
    x = words.fit_transform(texts)
    model = MultinomialNB(alpha=1).fit(x, y)
    first = texts[:100]
    if timed == "fit":
        return whole(lambda: MultinomialNB(alpha=1).fit(x, y), lambda made: made.predict_proba(x[:100]))
    if timed == "posterior":
        return whole(lambda: model.predict_proba(x), lambda all: all[:100])
    if timed == "posterior-text":
        return whole(lambda: model.predict_proba(words.transform(texts)), lambda all: all[:100])
    if timed == "fit-text":

        def work():
            words = vectorizer()
            return words, MultinomialNB(alpha=1).fit(words.fit_transform(texts), y)

        return whole(work, lambda made: made[1].predict_proba(made[0].transform(first)))
    single = [x[i] for i in range(200)]

    def each():
        time = clocked(lambda: [model.predict_proba(row) for row in single])[0]
        return {name: value / len(single) for name, value in time.items()}

    return each, lambda: model.predict_proba(x[:100]).ravel()


def epoch(loss):
    from sklearn.linear_model import SGDClassifier
    from sklearn.preprocessing import normalize

    texts, y = documents()
    x = normalize(vectorizer().fit_transform(texts))
    levels = numpy.unique(y)
    model = SGDClassifier(loss=loss, alpha=1e-5, random_state=0)
    return whole(lambda: model.partial_fit(x, y, levels), lambda _: [])


def liblinear():
    """tf-idf of 1 + ln count, length 1; L2-loss SVM in the dual, C = 1, with a bias: from the file on."""
    from liblinear.liblinearutil import parameter, problem, train
    from sklearn.feature_extraction.text import TfidfTransformer

    options = "-s 1 -c 1 -B 1 -q"

    def work():
        texts, labels = documents()
        levels, y = numpy.unique(labels, return_inverse=True)
        words, idf = vectorizer(), TfidfTransformer(sublinear_tf=True)
        x = idf.fit_transform(words.fit_transform(texts)).tocsr()
        return words, idf, levels, train(problem(y.astype(float), x, bias=1), parameter(options))

    def accuracy(made):
        words, idf, levels, model = made
        texts, labels = documents("test")
        u = idf.transform(words.transform(texts))
        count = model.get_nr_feature()
        w = numpy.array([[model.get_decfun_coef(j + 1, k) for j in range(count)] for k in range(model.get_nr_class())])
        if model.get_nr_class() == 2:
            w = w[:1]
        bias = numpy.array([model.get_decfun_bias(k) for k in range(len(w))])
        scores = numpy.asarray(u @ w.T) + bias
        names = levels[numpy.array(model.get_labels(), dtype=int)]
        found = names[scores.argmax(axis=1)] if len(w) > 1 else numpy.where(scores[:, 0] > 0, names[0], names[1])
        return [float((found == labels).mean())]

    return whole(work, accuracy)


KINDS = {
    "mixture-full": lambda: mixture("full"),
    "mixture-diag": lambda: mixture("diag"),
    "gaussian-fit": gaussian_fit,
    "gaussian-posterior": gaussian_posterior,
    "lda": lda,
    "qda": qda,
    "bernoulli": bernoulli,
    "categorical": categorical,
    "multinomial-fit": lambda: multinomial("fit"),
    "multinomial-fit-text": lambda: multinomial("fit-text"),
    "multinomial-posterior": lambda: multinomial("posterior"),
    "multinomial-posterior-text": lambda: multinomial("posterior-text"),
    "multinomial-one": lambda: multinomial("one"),
    "multinomial-one-words": lambda: multinomial("one"),
    "epoch-hinge": lambda: epoch("hinge"),
    "epoch-ncll": lambda: epoch("log_loss"),
    "default-fit": liblinear,
}


def peak():
    """The most memory held, in MiB; what getrusage says counts the process that started this one too."""
    try:
        with open("/proc/self/status") as status:
            return int(next(line for line in status if line.startswith("VmHWM")).split()[1]) / 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def say(answer):
    print(json.dumps(answer), flush=True)


timed, compared = KINDS[kind]()
say({"ready": True})
for line in sys.stdin:
    word = line.strip()
    if word == "round":
        say(timed())
    elif word == "result":
        say({"result": [float(value) for value in compared()]})
    elif word == "end":
        say({"memory": peak()})
        break
