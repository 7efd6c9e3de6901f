"""pyAgrum and pgmpy on the same tables and rows: posteriors, EM, counting, structure. Processor time, one thread.

    python networks/peers.py question.json answer.json
"""

import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
warnings.filterwarnings("ignore")

import numpy
import pandas
import pyagrum as gum
from peers import question, reply

gum.setNumberOfThreads(1)


def built(columns):
    """The network with the same doubles; columns and levels by number, since names may hold what its reader refuses."""
    network = gum.BayesNet()
    for v, column in enumerate(columns):
        levels = [f"l{level}" for level in range(column["levels"])]
        network.add(gum.LabelizedVariable(f"v{v}", "", levels))
    for v, column in enumerate(columns):
        # the axes of an array are those of the table in reverse: the first parent outermost
        for parent in reversed(column["parents"]):
            network.addArc(parent, v)
    for v, column in enumerate(columns):
        if "table" not in column:
            continue
        shape = [columns[parent]["levels"] for parent in column["parents"]] + [column["levels"]]
        network.cpt(v)[:] = numpy.array(column["table"], dtype=numpy.float64).reshape(shape)
    return network


def frame(columns, rows):
    """Codes as labels; −1 is missing."""
    names = {f"v{v}": [f"l{row[v]}" if row[v] >= 0 else "?" for row in rows] for v in range(len(columns))}
    return pandas.DataFrame(names)


def inference(asked):
    network = built(asked["columns"])
    engine = gum.LazyPropagation(network)
    evidence = [{v: code for v, code in enumerate(row) if code >= 0} for row in asked["rows"]]
    missing = [[v for v, code in enumerate(row) if code < 0] for row in asked["rows"]]

    def once():
        found = []
        for given, holes in zip(evidence, missing):
            engine.setEvidence(given)
            engine.makeInference()
            found.append([engine.posterior(v).toarray() for v in holes])
        return found

    start = time.process_time()
    found = once()
    first = time.process_time() - start
    start = time.process_time()
    once()
    again = time.process_time() - start
    told = [[list(map(float, chances)) for chances in row] for row in found] if asked["tell"] else []
    return dict(first=first, again=again, posteriors=told)


def em(asked):
    columns = asked["columns"]
    skeleton = built([{"levels": c["levels"], "parents": c["parents"]} for c in columns])
    learner = gum.BNLearner(frame(columns, asked["rows"]), skeleton, ["?"])
    learner.setNumberOfThreads(1)
    learner.useNoPrior() if asked["prior"] == 0 else learner.useSmoothingPrior(asked["prior"])
    learner.useEM(asked["epsilon"])
    learner.EMsetMaxIter(asked["iterations"])
    start = time.process_time()
    learned = learner.learnParameters(skeleton.dag())
    seconds = time.process_time() - start
    tables = [learned.cpt(f"v{v}").toarray().reshape(-1).tolist() for v in range(len(columns))]
    orders = [list(learned.cpt(f"v{v}").names) for v in range(len(columns))]
    return dict(seconds=seconds, iterations=learner.EMnbrIterations(), tables=tables, orders=orders)


def counting(asked):
    columns = asked["columns"]
    skeleton = built([{"levels": c["levels"], "parents": c["parents"]} for c in columns])
    data = frame(columns, asked["rows"])
    start = time.process_time()
    learner = gum.BNLearner(data, skeleton)
    opened = time.process_time() - start
    learner.setNumberOfThreads(1)
    learner.useSmoothingPrior(1)
    times = []
    for _ in range(5):
        start = time.process_time()
        learner.learnParameters(skeleton.dag())
        times.append(time.process_time() - start)
    return dict(opened=opened, seconds=min(times))


def structure(asked):
    columns = asked["columns"]
    skeleton = built([{"levels": c["levels"], "parents": []} for c in columns])
    data = frame(columns, asked["rows"])
    if asked["system"] == "pgmpy":
        import logging

        logging.disable(logging.WARNING)
        from pgmpy.estimators import BIC, HillClimbSearch

        data = data.astype("category")
        start = time.process_time()
        found = HillClimbSearch(data).estimate(scoring_method=BIC(data), show_progress=False)
        seconds = time.process_time() - start
        return dict(seconds=seconds, edges=[[int(a[1:]), int(b[1:])] for a, b in found.edges()])
    learner = gum.BNLearner(data, skeleton)
    learner.setNumberOfThreads(1)
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.useLocalSearchWithTabuList()
    start = time.process_time()
    dag = learner.learnDAG()
    seconds = time.process_time() - start
    names = {v: int(learner.nameFromId(v)[1:]) for v in dag.nodes()}
    return dict(seconds=seconds, edges=[[names[a], names[b]] for a, b in dag.arcs()])


asked = question()
answer = dict(inference=inference, em=em, counting=counting, structure=structure)[asked["job"]](asked)
import importlib.metadata

peers = {name: importlib.metadata.version(name) for name in ("pyAgrum", "pgmpy")}
reply(peers=peers, **answer)
