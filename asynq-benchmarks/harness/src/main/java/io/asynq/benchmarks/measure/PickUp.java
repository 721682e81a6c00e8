package io.asynq.benchmarks.measure;

import java.util.List;

import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.report.Figure;

/**
 * The time from just before a task is enqueued to the start of its handler, in an idle
 * server; tasks arrive one by one.
 */
public final class PickUp implements Measure {

	private static final double P50_LIMIT_MILLIS = 2;

	static final double P99_LIMIT_MILLIS = 10;

	static final int GAP_MICROS = 5_000;

	@Override
	public String name() {
		return "pickup";
	}

	@Override
	public void run(Bench bench) {
		bench.report().heading("From enqueue to the start of the handler, idle server");
		PickUpRound round = PickUpRound.of(bench);
		int tasks = tasks(bench);
		limits(bench, round, "pickup-java", Contender.ours(bench), bench.peers().asynq(1), tasks);
		limits(bench, round, "pickup-go", Contender.ours(bench), bench.peers().go(), tasks);
		limits(bench, round, "pickup-lettuce-java", Contender.oursOverLettuce(bench), bench.peers().asynq(1), tasks);
		limits(bench, round, "pickup-lettuce-go", Contender.oursOverLettuce(bench), bench.peers().go(), tasks);
		if (!bench.plan().isQuick()) {
			// Go polls once per second, so that few samples take long
			round.figures("pickup-by-go-server", Contender.go(bench), bench.peers().asynq(1), 20, 150_000);
		}
		if (bench.plan().full()) {
			round.figures("pickup-by-rqueue", Contender.rival(bench, "rqueue", false), bench.peers().rival("rqueue"),
					50, 25_000);
			round.figures("pickup-by-redisson", Contender.rival(bench, "redisson", false),
					bench.peers().rival("redisson"), 50, 25_000);
		}
	}

	static int tasks(Bench bench) {
		return bench.plan().isQuick() ? 200 : 400;
	}

	private static void limits(Bench bench, PickUpRound round, String name, Contender server, PeerProcess producer,
			int tasks) {
		List<Figure> figures = round.figures(name, server, producer, tasks, GAP_MICROS);
		bench.report().limit(name + "-p50", figures.get(0), P50_LIMIT_MILLIS);
		bench.report().limit(name + "-p99", figures.get(1), P99_LIMIT_MILLIS);
	}

}
