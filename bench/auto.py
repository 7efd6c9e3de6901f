"""scikit-learn on the tables, corpora and numbers of auto.ts, the same rows to learn from and to be judged on.

    python auto.py question.json answer.json

    levels   logistic regression, C by 5-fold cross-validated log-loss (one-hot, mean-imputed, standardised), and HistGradientBoosting at its defaults
    texts    logistic regression on tf-idf, C likewise
    number   ridge, its penalty by cross-validation (one-hot, mean-imputed, standardised)
"""

import warnings

import numpy
from peers import question, reply
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

warnings.simplefilter("ignore")
asked = question()
print(f"  scikit-learn {asked['name']}", flush=True)
kinds = {column["name"]: column["kind"] for column in asked["columns"]}
numbers = [name for name, kind in kinds.items() if kind == "number"]
levels = [name for name, kind in kinds.items() if kind == "level"]


def cells(rows, names, fill):
    return numpy.array([[fill if row.get(name) is None else row[name] for name in names] for row in rows], dtype=object)


def features():
    """One-hot levels (an unknown one is none of them), numbers filled with their mean and standardised."""
    count = len(numbers)
    parts = []
    if numbers:
        parts.append(("numbers", make_pipeline(SimpleImputer(), StandardScaler()), slice(0, count)))
    if levels:
        parts.append(("levels", OneHotEncoder(handle_unknown="ignore"), slice(count, count + len(levels))))
    return ColumnTransformer(parts)


def table(rows):
    x = cells(rows, numbers, numpy.nan)
    y = cells(rows, levels, "?")
    return numpy.hstack([x.reshape(len(rows), len(numbers)), y.reshape(len(rows), len(levels)).astype(str)])


def judged(model, known, x, truth):
    p = model.predict_proba(x)
    codes = {level: i for i, level in enumerate(model.classes_)}
    places = numpy.array([codes[level] for level in truth])
    losses = -numpy.log(numpy.maximum(p[numpy.arange(len(places)), places], 1e-300))
    right = p.argmax(axis=1) == places
    return {
        "logLoss": float(losses.mean()),
        "logLossError": float(losses.std(ddof=1) / numpy.sqrt(len(losses))),
        "accuracy": float(right.mean()),
    }


def folds(truth):
    counts = numpy.unique(truth, return_counts=True)[1]
    return int(max(2, min(5, counts.min())))


train, test = asked["train"], asked["test"]
label = asked["label"]
answer = {}
if asked["kind"] == "number":
    model = make_pipeline(features(), RidgeCV(alphas=numpy.logspace(-3, 3, 25)))
    y = numpy.array([float(row[label]) for row in train])
    v = numpy.array([float(row[label]) for row in test])
    said = model.fit(table(train), y).predict(table(test))
    answer["ridge"] = {"r2": float(1 - ((v - said) ** 2).sum() / ((v - v.mean()) ** 2).sum())}
else:
    y = [str(row[label]) for row in train]
    v = [str(row[label]) for row in test]
    texts = [name for name, kind in kinds.items() if kind == "text"]
    many = len(train) * (len(set(y)) if texts else len(set(y)) * len(kinds)) > 2_000_000
    logistic = LogisticRegressionCV(
        Cs=numpy.logspace(-3, 3, 7 if many else 13),
        cv=3 if many else folds(y),
        scoring="neg_log_loss",
        max_iter=300 if many else 2000,
    )
    if texts:
        vectorizer = TfidfVectorizer(token_pattern=r"\S+", sublinear_tf=True)
        x = vectorizer.fit_transform(row[texts[0]] or "" for row in train)
        u = vectorizer.transform(row[texts[0]] or "" for row in test)
    else:
        make = features()
        x, u = make.fit_transform(table(train)), make.transform(table(test))
    answer["lr"] = judged(logistic.fit(x, y), y, u, v)
    print(f"    logistic regression: {answer['lr']}", flush=True)
    if not texts:
        coded = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=numpy.nan, encoded_missing_value=numpy.nan)

        def raw(rows, first):
            x = cells(rows, numbers, numpy.nan).astype(float).reshape(len(rows), len(numbers))
            if not levels:
                return x
            z = cells(rows, levels, "?").astype(str)
            return numpy.hstack([x, coded.fit_transform(z) if first else coded.transform(z)])

        boosted = HistGradientBoostingClassifier(random_state=0).fit(raw(train, True), y)
        answer["boosting"] = judged(boosted, y, raw(test, False), v)
        print(f"    boosting: {answer['boosting']}", flush=True)
reply(**answer)
