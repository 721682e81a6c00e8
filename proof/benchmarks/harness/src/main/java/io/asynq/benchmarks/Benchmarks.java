package io.asynq.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.asynq.benchmarks.measure.Against;
import io.asynq.benchmarks.measure.Backlog;
import io.asynq.benchmarks.measure.Bench;
import io.asynq.benchmarks.measure.Measure;
import io.asynq.benchmarks.measure.Plan;
import io.asynq.benchmarks.process.Launcher;
import io.asynq.benchmarks.process.RedisProcess;
import io.asynq.benchmarks.report.Report;
import io.asynq.test.process.Repository;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Exits with 2 when a round lost or doubled a task and with 1 when a measure failed;
 * targets do not count.
 */
@Command(name = "run", mixinStandardHelpOptions = true,
		description = "Compares this project with its peers on one Redis in one run. Without options: what has a "
				+ "target, about 25 minutes.")
final class Benchmarks implements Callable<Integer> {

	private static final int FAILED = 1;

	private static final int NOT_EXACT = 2;

	@Spec
	private CommandLine.Model.CommandSpec spec;

	@Option(names = "--full", description = "everything, about 100 minutes")
	private boolean full;

	@Option(names = "--quick", description = "every RESULT line, three short rounds each, about 7 minutes")
	private boolean quick;

	@Option(names = "--only", paramLabel = "NAME", split = ",", completionCandidates = Names.class,
			description = "one or some of: ${COMPLETION-CANDIDATES}")
	private List<String> only = List.of();

	@Option(names = "--against", paramLabel = "DIRECTORY",
			description = "another checkout of this project in which proof/benchmarks/run has been called: "
					+ "alternates between both, and prints the ratios of this one to the other")
	private @Nullable Path against;

	@Option(names = "--pairs", paramLabel = "NUMBER", defaultValue = "10",
			description = "how often --against starts both; 10 by default, which takes about an hour")
	private int pairs;

	@Option(names = "--persistence", paramLabel = "MODE", defaultValue = "none",
			description = "none (the default) or everysec: how Redis writes to disk")
	private String persistence = "none";

	public static void main(String[] args) {
		System.exit(new CommandLine(new Benchmarks()).execute(args));
	}

	@Override
	public Integer call() {
		List<Measure> measures = measures();
		long start = System.nanoTime();
		Path module = Repository.path("proof/benchmarks");
		Report report = new Report(System.out);
		try (RedisProcess redis = RedisProcess.start(this.persistence);
				Launcher peers = new Launcher(module, earlier());
				Backlog backlog = new Backlog(redis)) {
			Map<String, Object> environment = environment(redis, peers);
			environment.forEach((name, value) -> System.out.println(name + ": " + value));
			Bench bench = new Bench(plan(), redis, peers, backlog, report);
			measures.forEach((measure) -> run(measure, bench));
			environment.put("peers", peers.versions());
			environment.put("seconds", (System.nanoTime() - start) / 1_000_000_000);
			report.finish(module.resolve("target/benchmarks.json"), environment);
		}
		System.out.println("Took " + (System.nanoTime() - start) / 1_000_000_000 + " s");
		return !report.exact() ? NOT_EXACT : report.failed() ? FAILED : 0;
	}

	private static void run(Measure measure, Bench bench) {
		try {
			measure.run().accept(bench);
		}
		catch (RuntimeException ex) {
			// The other measures are still worth taking
			bench.report().failure(measure.name(), ex);
		}
		bench.peers().endRivals();
	}

	private @Nullable Path earlier() {
		if (this.against == null) {
			return null;
		}
		if (this.pairs < 2) {
			throw new ParameterException(this.spec.commandLine(), "--pairs " + this.pairs + ": at least 2");
		}
		Path earlier = this.against.toAbsolutePath().resolve("proof/benchmarks");
		if (!Files.exists(earlier.resolve("harness/target/classpath"))) {
			throw new ParameterException(this.spec.commandLine(),
					"--against " + this.against + ": call proof/benchmarks/run --quick there first, which builds it");
		}
		return earlier;
	}

	private Plan plan() {
		return (this.against != null) ? Plan.pair()
				: this.full ? Plan.everything() : this.quick ? Plan.quick() : Plan.targets();
	}

	private List<Measure> measures() {
		if (this.against != null) {
			if (!Against.MEASURES.containsAll(this.only)) {
				throw new ParameterException(this.spec.commandLine(),
						"--against compares " + Against.MEASURES + ", but --only was given " + this.only);
			}
			return List.of(new Measure("against", true, new Against(this.pairs, this.only)::run));
		}
		if (this.only.isEmpty()) {
			return Measure.ALL.stream().filter((measure) -> this.full || measure.hasTarget()).toList();
		}
		List<Measure> chosen = Measure.ALL.stream().filter((measure) -> this.only.contains(measure.name())).toList();
		if (chosen.size() < Set.copyOf(this.only).size()) {
			throw new ParameterException(this.spec.commandLine(), "--only knows "
					+ Measure.ALL.stream().map(Measure::name).toList() + ", but was given " + this.only);
		}
		return chosen;
	}

	private Map<String, Object> environment(RedisProcess redis, Launcher peers) {
		Map<String, Object> environment = new LinkedHashMap<>();
		environment.put("mode",
				(this.against != null) ? "pairs" : this.full ? "full" : this.quick ? "quick" : "targets");
		environment.put("processors", Runtime.getRuntime().availableProcessors());
		environment.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
				+ System.getProperty("os.arch"));
		environment.put("redis", redis.version());
		environment.put("persistence", "none".equals(this.persistence) ? "none (no RDB, no AOF)" : "AOF everysec");
		environment.put("jdk", Runtime.version().toString());
		environment.put("jvmFlags", peers.jvmFlags());
		return environment;
	}

	/** The names of all measures, for the help. */
	private static final class Names implements Iterable<String> {

		@Override
		public Iterator<String> iterator() {
			return Measure.ALL.stream().map(Measure::name).iterator();
		}

	}

}
