package io.asynq.reliability.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

import io.asynq.reliability.process.Fleet;
import io.asynq.reliability.process.Launcher;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.process.Repository;
import io.asynq.test.redis.StandaloneRedis;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Exits with 1 if something grew, or a task was lost or done twice. */
@Command(name = "soak", mixinStandardHelpOptions = true,
		description = "Lets a worker run under full load, at one task a second, and on a Redis that is stopped nine "
				+ "tenths of the time, and checks that nothing grows.")
final class Soak implements Callable<Integer> {

	private static final int SAMPLES = 24;

	private static final Duration DRAIN = Duration.ofMinutes(2);

	/**
	 * What the worker may hold while Redis is slow, KiB: a fixed number of outcomes
	 * waits.
	 */
	private static final long SLOW_HEAP = 64 * 1024;

	@Option(names = "--minutes", paramLabel = "N", description = "how long each lasts, default ${DEFAULT-VALUE}")
	private double minutes = 10;

	@Option(names = "--only", paramLabel = "NAME", split = ",", description = "full, idle or slow")
	private List<Kind> only = List.of(Kind.values());

	public static void main(String[] args) {
		CommandLine command = new CommandLine(new Soak());
		command.setCaseInsensitiveEnumValuesAllowed(true);
		System.exit(command.execute(args));
	}

	@Override
	public Integer call() throws InterruptedException {
		boolean passed = true;
		for (Kind kind : this.only) {
			List<String> wrong = run(kind);
			wrong.forEach((line) -> System.out.println("  " + line));
			passed &= wrong.isEmpty();
		}
		System.out.println(passed ? "PASSED" : "FAILED");
		return passed ? 0 : 1;
	}

	private List<String> run(Kind kind) throws InterruptedException {
		Path folder = Repository.path("proof/reliability-tests/target/soak");
		try (StandaloneRedis redis = StandaloneRedis.start(); Fleet fleet = new Fleet(launcher(redis, folder))) {
			Worker worker = fleet.start(WorkerKind.JAVA);
			worker.awaitReady();
			Feed feed = new Feed(redis.connections(), kind != Kind.IDLE);
			Thread feeder = new Thread(feed, "feed");
			feeder.setDaemon(true);
			feeder.start();
			Course course = new Course();
			try (SlowRedis slow = (kind == Kind.SLOW) ? SlowRedis.start(redis.node()) : null) {
				long each = (long) (this.minutes * Duration.ofMinutes(1).toNanos() / SAMPLES);
				while (course.size() < SAMPLES) {
					LockSupport.parkNanos(each);
					course.add(Vitals.of(worker.pid()));
				}
			}
			feed.stop();
			feeder.join();
			Feed.Progress end = awaitDrained(feed);
			System.out.printf("%s: %d tasks in %.1f min; %s%n", kind.name().toLowerCase(), end.processed(),
					this.minutes, course);
			return findings(kind, feed.acknowledged(), end, course);
		}
	}

	private static List<String> findings(Kind kind, long acknowledged, Feed.Progress end, Course course) {
		List<String> wrong = new ArrayList<>(course.growth());
		// On a slow Redis an answer may come too late for its caller
		boolean exact = end.processed() == acknowledged || kind == Kind.SLOW && end.processed() >= acknowledged;
		if (!exact || end.failed() > 0 || end.left() > 0) {
			wrong.add(acknowledged + " tasks were acknowledged, but " + end);
		}
		if (kind == Kind.SLOW && course.highestHeap() > SLOW_HEAP) {
			wrong.add("heap of " + course.highestHeap() + " KiB while Redis was slow");
		}
		return wrong;
	}

	private static Feed.Progress awaitDrained(Feed feed) {
		long latest = System.nanoTime() + DRAIN.toNanos();
		Feed.Progress progress = feed.progress();
		while (progress.left() > 0 && System.nanoTime() < latest) {
			LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
			progress = feed.progress();
		}
		return progress;
	}

	private static Launcher launcher(StandaloneRedis redis, Path folder) {
		Map<String, String> properties = new LinkedHashMap<>(redis.springProperties());
		properties.put("asynq.server.queues." + Feed.QUEUE, "1");
		properties.putAll(Map.of("asynq.server.concurrency", "20", "spring.main.banner-mode", "off",
				"logging.level.root", "WARN"));
		return new Launcher(properties, null, null, folder, folder);
	}

	/** What runs meanwhile. */
	enum Kind {

		FULL, IDLE, SLOW

	}

}
