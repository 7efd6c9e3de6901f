"""LIBLINEAR (as scikit-learn carries it) on the documents of text.ts, the same tokens.

    python text.py question.json answer.json

L2-regularised logistic regression and L2-loss SVM, one against the rest, with a regularised bias. Document scaling and C
are chosen together by 3-fold cross-validation on the training rows, accuracy being the score:

    raw      counts                     log      ln(1 + count)
    l2       counts, length 1           l2-log   ln(1 + count), length 1
    tfidf    count · idf, length 1      log-tfidf   (1 + ln count) · idf, length 1

C = c / mean ‖x‖² of the training rows, so that one start suits every scaling; c climbs in factors of `step`. Where the
step is coarse so is the search: LIBLINEAR's own tolerance of 0.1, and a gain below a tenth of a point is none.
"""

import warnings

import numpy
from peers import climb, log_loss, question, reply
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

warnings.simplefilter("ignore", ConvergenceWarning)


def scaled(name, train, test):
    """Both parts; what is learned is learned on the first."""
    if "tfidf" in name:
        idf = TfidfTransformer(sublinear_tf="log" in name).fit(train)
        return idf.transform(train), idf.transform(test)
    parts = [part.log1p() if "log" in name else part for part in (train, test)]
    return [normalize(part) if "l2" in name else part for part in parts]


def fitted(loss, c, x, y, tol=1e-3):
    C = c / x.multiply(x).sum(axis=1).mean()
    if loss == "svm":
        return LinearSVC(C=C, tol=tol, random_state=0).fit(x, y)
    logistic = LogisticRegression(C=C, solver="liblinear", dual=True, tol=tol, max_iter=1000, random_state=0)
    return OneVsRestClassifier(logistic).fit(x, y)


def chosen(loss, x, y, scalings, step):
    """Scaling and c of the best cross-validated accuracy."""
    tol, digits = (1e-3, 9) if step <= 2 else (0.1, 3)
    folds = list(StratifiedKFold(3, shuffle=True, random_state=0).split(x, y))
    best = (-1.0,)
    for scaling in scalings:
        parts = [(*scaled(scaling, x[train], x[test]), y[train], y[test]) for train, test in folds]

        def score(c):
            right = [fitted(loss, c, a, ya, tol).score(b, yb) for a, b, ya, yb in parts]
            return round(float(numpy.mean(right)), digits)

        c, accuracy = climb(score, step)
        print(f"    {loss} {scaling}: c {c:g}, cross-validated {100 * accuracy:.2f}", flush=True)
        best = max(best, (accuracy, scaling, c))
    return best


asked = question()
print(f"  LIBLINEAR {asked['name']}", flush=True)
vectorizer = CountVectorizer(analyzer=str.split)
x = vectorizer.fit_transform(row["text"] for row in asked["train"]).astype(float)
u = vectorizer.transform(row["text"] for row in asked["test"]).astype(float)
levels, y = numpy.unique([row["label"] for row in asked["train"]], return_inverse=True)
v = numpy.searchsorted(levels, [row["label"] for row in asked["test"]])
answer = {"words": x.shape[1], "tokens": int(x.sum())}
for loss in ("lr", "svm"):
    accuracy, scaling, c = chosen(loss, x, y, asked["scalings"], asked["step"])
    train, test = scaled(scaling, x, u)
    model = fitted(loss, c, train, y)
    answer[loss] = {"scaling": scaling, "c": c, "validated": accuracy, "accuracy": float(model.score(test, v))}
    if loss == "lr":
        answer[loss]["logLoss"] = log_loss(model.predict_proba(test), v)
    print(f"    {loss}: {answer[loss]}", flush=True)
reply(**answer)
