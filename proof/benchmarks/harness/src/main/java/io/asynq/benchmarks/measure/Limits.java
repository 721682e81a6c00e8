package io.asynq.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.asynq.benchmarks.report.Figure;
import io.asynq.limit.LimitKey;
import io.asynq.limit.TaskLimit;

/** What limits over all servers cost, and how well they are used. */
final class Limits {

	private static final int WAITING = 10_000;

	private static final long WORK = Duration.ofMillis(20).toNanos();

	private static final int LIMIT = 3;

	/** Until ten thousand tasks wait, and nothing is left to do for those. */
	private static final Duration SETTLING = Duration.ofSeconds(8);

	private static final double MOST_COMMANDS = 5;

	private Limits() {
	}

	static void run(Bench bench) {
		bench.report().heading("Limits over all servers, in this process");
		for (int servers : bench.plan().isQuick() ? List.of(3) : List.of(1, 3, 10)) {
			waiting(bench, servers);
		}
		used(bench);
		others(bench);
		exact(bench);
		tenants(bench);
		bench.backlog().clear();
	}

	/** What waiting tasks cost beyond servers that have the limit but no tasks. */
	private static void waiting(Bench bench, int count) {
		List<Double> costs = bench.rounds(0, () -> {
			double idle = commands(bench, count, 0);
			return Math.max(0.01, commands(bench, count, WAITING) - idle);
		});
		Figure figure = bench.figure("limits-waiting-" + count, count + " servers, " + WAITING + " waiting tasks",
				"commands/s", WAITING, costs);
		bench.report().limit(figure.name(), figure, MOST_COMMANDS);
	}

	/**
	 * Which part of the time the tokens are in use, compared with as many threads that do
	 * the same work without a queue: the machine may stand still now and then.
	 */
	private static void used(Bench bench) {
		List<Double> ours = new ArrayList<>();
		List<Double> threads = new ArrayList<>();
		int tasks = bench.plan().isQuick() ? 300 : 900;
		for (int i = 0; i < bench.plan().rounds(); i++) {
			bench.backlog().clear();
			try (LimitedServers servers = new LimitedServers(bench.redis(), TaskLimit.concurrent(LIMIT), 10, WORK)
				.start(1)) {
				servers.enqueue(LimitedServers.LIMITED, "", 200 + tasks);
				await(() -> servers.done() >= 200);
				int before = servers.done();
				long start = System.nanoTime();
				await(() -> servers.done() >= 190 + tasks);
				noneTwice(bench, servers);
				ours.add((servers.done() - before) * (double) WORK / LIMIT / (System.nanoTime() - start));
			}
			try (LimitedServers plain = new LimitedServers(bench.redis(), TaskLimit.concurrent(LIMIT), 10, WORK)) {
				long start = System.nanoTime();
				plain.workInThreads(LIMIT, tasks / LIMIT);
				threads.add(plain.done() * (double) WORK / LIMIT / (System.nanoTime() - start));
			}
		}
		Figure figure = bench.figure("limits-used", "tokens in use, handlers of 20 ms", "part of the time", LIMIT,
				ours);
		Figure peer = bench.figure("limits-used", LIMIT + " threads without a queue", "part of the time", LIMIT,
				threads);
		bench.report().ratio("limits-used", figure, peer, 0.95);
	}

	/** Other types pass while limited tasks run and wait. */
	private static void others(Bench bench) {
		List<Double> alone = new ArrayList<>();
		List<Double> beside = new ArrayList<>();
		for (int i = 0; i < bench.plan().rounds(); i++) {
			alone.add(free(bench, false));
			beside.add(free(bench, true));
		}
		Figure with = bench.figure("limits-others", "beside limited tasks", "tasks/s", WAITING, beside);
		Figure without = bench.figure("limits-others", "alone", "tasks/s", WAITING, alone);
		bench.report().ratio("limits-others", with, without, 0.8);
	}

	private static double free(Bench bench, boolean beside) {
		int tasks = bench.plan().isQuick() ? 10_000 : 30_000;
		bench.backlog().clear();
		try (LimitedServers servers = new LimitedServers(bench.redis(), TaskLimit.concurrent(LIMIT), 10, WORK)
			.start(1)) {
			servers.enqueue(LimitedServers.FREE, "", tasks);
			await(() -> servers.done(LimitedServers.FREE) == tasks);
			if (beside) {
				servers.enqueue(LimitedServers.LIMITED, "", WAITING);
				await(() -> servers.waiting() > WAITING - 2000
						&& bench.redis().jedis().llen("asynq:{" + Backlog.QUEUE + "}:pending") == 0);
			}
			bench.backlog().pause();
			servers.enqueue(LimitedServers.FREE, "", tasks);
			long start = System.nanoTime();
			bench.backlog().resume();
			await(() -> servers.done(LimitedServers.FREE) == 2 * tasks);
			double seconds = (System.nanoTime() - start) / 1e9;
			noneTwice(bench, servers);
			return tasks / seconds;
		}
	}

	/** The limit is never exceeded, and every task runs once. */
	private static void exact(Bench bench) {
		bench.backlog().clear();
		try (LimitedServers servers = new LimitedServers(bench.redis(), TaskLimit.concurrent(LIMIT), 10, WORK / 20)
			.start(2)) {
			long start = System.nanoTime();
			servers.enqueue(LimitedServers.LIMITED, "", WAITING);
			await(() -> servers.done() >= WAITING);
			double seconds = (System.nanoTime() - start) / 1e9;
			bench.report()
				.note(String.format("%d tasks over two servers in %.1f s: %d at a time at most", WAITING, seconds,
						servers.most("")));
			if (servers.most("") > LIMIT) {
				bench.report().error("The limit was exceeded");
			}
			noneTwice(bench, servers);
		}
	}

	/** A tenant with many tasks does not keep those behind it waiting. */
	private static void tenants(Bench bench) {
		List<Double> counts = new ArrayList<>();
		List<Double> times = new ArrayList<>();
		int large = bench.plan().isQuick() ? 5_000 : 50_000;
		for (int i = 0; i < bench.plan().rounds(); i++) {
			bench.backlog().clear();
			bench.backlog().pause();
			try (LimitedServers servers = new LimitedServers(bench.redis(),
					TaskLimit.concurrent(2).by(LimitKey.header("tenant")), 10, WORK)
				.start(1)) {
				servers.enqueue(LimitedServers.LIMITED, "large", large);
				for (int tenant = 0; tenant < 50; tenant++) {
					servers.enqueue(LimitedServers.LIMITED, "small" + tenant, 10);
				}
				bench.backlog().resume();
				long start = System.nanoTime();
				await(() -> servers.done() - servers.done("large") == 500);
				counts.add((double) servers.done());
				times.add((System.nanoTime() - start) / 1e9);
				noneTwice(bench, servers);
			}
		}
		Figure figure = bench.figure("limits-tenants", "done when 50 small tenants are done", "tasks", large + 500,
				counts);
		bench.figure("limits-tenants", "until 50 small tenants are done", "s", large + 500, times);
		bench.report().limit("limits-tenants", figure, 1000);
	}

	/**
	 * Together with a number of tasks that have ended, this means that each of them ran.
	 */
	private static void noneTwice(Bench bench, LimitedServers servers) {
		if (servers.doubled() > 0) {
			bench.report().error(servers.doubled() + " tasks ran twice");
		}
	}

	/**
	 * Counts commands in the same seconds after the start of the servers, whatever they
	 * have to do: some of their loops run once a minute.
	 */
	private static double commands(Bench bench, int count, int waiting) {
		bench.backlog().clear();
		long start = System.nanoTime();
		try (LimitedServers servers = new LimitedServers(bench.redis(), TaskLimit.concurrent(1), 10, -1).start(count)) {
			servers.enqueue(LimitedServers.LIMITED, "", 1);
			await(() -> servers.most("") == 1);
			servers.enqueue(LimitedServers.LIMITED, "", waiting);
			await(() -> servers.waiting() == waiting);
			if (System.nanoTime() - start >= SETTLING.toNanos()) {
				bench.report().note("It took longer than " + SETTLING + " until " + waiting + " tasks waited");
			}
			await(() -> System.nanoTime() - start >= SETTLING.toNanos());
			return commands(bench, bench.plan().isQuick() ? 3 : 20);
		}
	}

	private static double commands(Bench bench, double seconds) {
		long before = bench.redis().commands();
		long start = System.nanoTime();
		await(() -> System.nanoTime() - start >= seconds * 1e9);
		return (bench.redis().commands() - before) / ((System.nanoTime() - start) / 1e9);
	}

	private static void await(BooleanSupplier condition) {
		long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - end > 0) {
				throw new IllegalStateException("The measure does not end");
			}
			LockSupport.parkNanos(500_000);
		}
	}

}
