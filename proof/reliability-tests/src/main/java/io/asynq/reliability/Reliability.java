package io.asynq.reliability;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

import io.asynq.reliability.Experiments.Experiment;
import io.asynq.reliability.fault.Fault;
import io.asynq.reliability.fault.Faults;
import io.asynq.reliability.fault.Scale;
import io.asynq.test.process.GoProgram;
import io.asynq.test.process.Repository;
import io.asynq.test.redis.Driver;
import io.asynq.test.redis.StandaloneRedis;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Exits with 1 if an invariant was violated or a run failed. */
@Command(name = "run", mixinStandardHelpOptions = true,
		description = "Breaks workers and Redis on purpose, and shows that nothing acknowledged is lost, nothing is "
				+ "stuck, and what ran twice is explained. Without options: all faults with asynq's default "
				+ "settings, at most 35 minutes.")
final class Reliability implements Callable<Integer> {

	@Spec
	private CommandLine.Model.@Nullable CommandSpec spec;

	@Option(names = "--quick", description = "every fault briefly, with short leases, at most 5 minutes")
	private boolean quick;

	@Option(names = "--seed", paramLabel = "N", description = "what everything random follows from; printed")
	private @Nullable Long seed;

	@Option(names = "--only", paramLabel = "FAULT", split = ",", description = "only these faults")
	private List<String> only = List.of();

	@Option(names = "--parallel", paramLabel = "N",
			description = "how many faults run side by side, each on its own Redis; most of the time they wait; "
					+ "default 4 with --quick, else 3")
	private @Nullable Integer parallel;

	@Option(names = "--driver", paramLabel = "DRIVER",
			description = "what Java workers and producers talk to Redis with: jedis (default) or lettuce")
	private Driver driver = Driver.JEDIS;

	public static void main(String[] args) {
		System.exit(new CommandLine(new Reliability()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
	}

	@Override
	public Integer call() throws InterruptedException {
		long start = System.nanoTime();
		Map<String, Experiment> runs = runs();
		Path module = Repository.path("proof/reliability-tests");
		Path target = module.resolve("target");
		long seed = (this.seed != null) ? this.seed : ThreadLocalRandom.current().nextInt(1_000_000);
		Settings settings = new Settings(this.quick ? Scale.QUICK : Scale.FULL, seed, target.resolve("runs"),
				GoProgram.build(module.resolve("go"), target.resolve("go/reliability")), Clock.systemUTC(),
				this.driver);
		Map<String, Object> environment = environment(seed);
		environment.forEach((name, value) -> System.out.println(name + ": " + value));
		Report report = new Report(System.out);
		runAll(runs, settings, report);
		environment.put("seconds", (System.nanoTime() - start) / 1_000_000_000);
		report.finish(target.resolve("reliability.json"), environment, List.copyOf(runs.keySet()));
		System.out.printf("%s, seed %d, %d s%n", report.passed() ? "PASSED" : "FAILED", seed,
				(System.nanoTime() - start) / 1_000_000_000);
		return report.passed() ? 0 : 1;
	}

	private void runAll(Map<String, Experiment> all, Settings settings, Report report) throws InterruptedException {
		ExecutorService executor = Executors.newFixedThreadPool(parallel());
		try {
			List<Future<?>> runs = new ArrayList<>();
			for (String name : longestFirst(all)) {
				Experiment run = all.get(name);
				runs.add(executor.submit(() -> report.add(run(name, run, settings))));
			}
			for (Future<?> run : runs) {
				run.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Returns the order of the runs: bad data first, because it keeps the processors busy
	 * and would run alone at the end; the outbox in the middle, because it starts many
	 * processes, and the pick-up times of the run with a hung master, at the end, are
	 * judged.
	 */
	private static List<String> longestFirst(Map<String, Experiment> all) {
		List<String> names = new ArrayList<>(all.keySet());
		if (names.remove(Experiments.BAD_DATA)) {
			names.add(0, Experiments.BAD_DATA);
		}
		if (names.remove(Experiments.OUTBOX)) {
			names.add(names.size() / 2, Experiments.OUTBOX);
		}
		return names;
	}

	private int parallel() {
		return (this.parallel != null) ? this.parallel : this.quick ? 4 : 3;
	}

	private static Outcome run(String name, Experiment run, Settings settings) {
		System.out.println(name + " starts");
		long start = System.nanoTime();
		try {
			return run.run(name, settings);
		}
		catch (InterruptedException | RuntimeException ex) {
			// The other runs are still worth doing
			ex.printStackTrace();
			return new Outcome(name, 0, null, (System.nanoTime() - start) / 1_000_000_000, ex.toString());
		}
	}

	private Map<String, Experiment> runs() {
		Map<String, Experiment> all = new LinkedHashMap<>();
		for (Fault fault : Faults.all()) {
			all.put(fault.name(), (name, settings) -> new FaultRun(fault, settings).run());
		}
		all.putAll(Experiments.all());
		if (this.spec != null && !all.keySet().containsAll(this.only)) {
			throw new ParameterException(this.spec.commandLine(),
					"--only knows " + all.keySet() + ", but was given " + this.only);
		}
		if (!this.only.isEmpty()) {
			all.keySet().retainAll(this.only);
		}
		return all;
	}

	private Map<String, Object> environment(long seed) {
		Map<String, Object> environment = new LinkedHashMap<>();
		environment.put("seed", seed);
		environment.put("mode", this.quick ? "quick" : "full");
		environment.put("driver", this.driver.name().toLowerCase(Locale.ROOT));
		environment.put("parallel", parallel());
		environment.put("processors", Runtime.getRuntime().availableProcessors());
		environment.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
				+ System.getProperty("os.arch"));
		environment.put("jdk", Runtime.version().toString());
		environment.put("goAsynq", "v0.26.0");
		try (StandaloneRedis redis = StandaloneRedis.start()) {
			environment.put("redis", redis.node().info("server").get("redis_version"));
		}
		return environment;
	}

}
