"""The other system's side of wide.ts: read the CSV, then five folds of naive Bayes and of logistic regression; C chosen as well, where asked."""

import time

BEGAN = time.perf_counter()

import numpy
from peers import question, reply
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

asked = question()
with open(asked["csv"], encoding="utf-8") as file:
    width = len(file.readline().split(","))
y = numpy.loadtxt(asked["csv"], delimiter=",", skiprows=1, usecols=0, dtype=str)
x = numpy.loadtxt(asked["csv"], delimiter=",", skiprows=1, usecols=range(1, width))

folds = StratifiedKFold(5, shuffle=True, random_state=0)
models = {
    "naive Bayes": GaussianNB(),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
}
if asked["chooses"]:
    # seven values of C, as many as our search takes at least
    search = LogisticRegressionCV(Cs=numpy.logspace(-2, 2, 7), cv=5, scoring="neg_log_loss", max_iter=1000, l1_ratios=(0,), use_legacy_attributes=False)
    models["logistic regression"] = make_pipeline(StandardScaler(), search)

measured = {}
for name, model in models.items():
    scores = cross_validate(model, x, y, cv=folds, scoring=["accuracy", "neg_log_loss"])
    measured[name] = {"accuracy": scores["test_accuracy"].mean(), "logLoss": -scores["test_neg_log_loss"].mean()}

reply(measured=measured, seconds=time.perf_counter() - BEGAN, cpu=time.process_time())
