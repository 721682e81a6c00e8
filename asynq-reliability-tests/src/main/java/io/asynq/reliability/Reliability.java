package io.asynq.reliability;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

import io.asynq.reliability.fault.Fault;
import io.asynq.reliability.fault.Faults;
import io.asynq.reliability.fault.Scale;
import io.asynq.reliability.process.GoProgram;
import io.asynq.reliability.redis.StandaloneRedis;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program behind {@code asynq-reliability-tests/run}. Ends with 0 if everything that
 * must hold held under every fault, with 1 if not, or if a run failed.
 */
@Command(name = "run", mixinStandardHelpOptions = true,
		description = "Breaks workers and Redis on purpose, and shows that nothing acknowledged is lost, nothing is "
				+ "stuck, and what ran twice is explained. Without options: all faults with asynq's default "
				+ "settings, at most 30 minutes.")
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
					+ "default 3 with --quick, else 2")
	private @Nullable Integer parallel;

	public static void main(String[] args) {
		System.exit(new CommandLine(new Reliability()).execute(args));
	}

	@Override
	public Integer call() throws InterruptedException {
		long start = System.nanoTime();
		List<Fault> faults = faults();
		Path module = Path.of(System.getProperty("asynq.reliability", "")).toAbsolutePath();
		Path target = module.resolve("target");
		long seed = (this.seed != null) ? this.seed : ThreadLocalRandom.current().nextInt(1_000_000);
		Settings settings = new Settings(this.quick ? Scale.QUICK : Scale.FULL, seed, target.resolve("runs"),
				GoProgram.build(module), Clock.systemUTC());
		Map<String, Object> environment = environment(seed);
		environment.forEach((name, value) -> System.out.println(name + ": " + value));
		Report report = new Report(System.out);
		runAll(faults, settings, report);
		environment.put("seconds", (System.nanoTime() - start) / 1_000_000_000);
		report.finish(target.resolve("reliability.json"), environment, faults.stream().map(Fault::name).toList());
		System.out.printf("%s, seed %d, %d s%n", report.passed() ? "PASSED" : "FAILED", seed,
				(System.nanoTime() - start) / 1_000_000_000);
		return report.passed() ? 0 : 1;
	}

	private void runAll(List<Fault> faults, Settings settings, Report report) throws InterruptedException {
		ExecutorService executor = Executors.newFixedThreadPool(parallel());
		try {
			List<Future<?>> runs = new ArrayList<>();
			faults.forEach((fault) -> runs.add(executor.submit(() -> report.add(run(fault, settings)))));
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

	private int parallel() {
		return (this.parallel != null) ? this.parallel : this.quick ? 3 : 2;
	}

	private static Outcome run(Fault fault, Settings settings) {
		System.out.println(fault.name() + " starts");
		long start = System.nanoTime();
		try {
			return new FaultRun(fault, settings).run();
		}
		catch (InterruptedException | RuntimeException ex) {
			// What the others show is worth having all the same
			ex.printStackTrace();
			return new Outcome(fault.name(), 0, null, (System.nanoTime() - start) / 1_000_000_000, ex.toString());
		}
	}

	private List<Fault> faults() {
		List<Fault> all = Faults.all();
		List<String> names = all.stream().map(Fault::name).toList();
		if (this.spec != null && !Set.copyOf(names).containsAll(this.only)) {
			throw new ParameterException(this.spec.commandLine(),
					"--only knows " + names + ", but was given " + this.only);
		}
		return all.stream().filter((fault) -> this.only.isEmpty() || this.only.contains(fault.name())).toList();
	}

	private Map<String, Object> environment(long seed) {
		Map<String, Object> environment = new LinkedHashMap<>();
		environment.put("seed", seed);
		environment.put("mode", this.quick ? "quick" : "full");
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
