package io.asynq.reliability.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.asynq.reliability.load.Load;
import io.asynq.reliability.load.Producer;
import io.asynq.reliability.process.Fleet;
import io.asynq.reliability.process.Launcher;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.LedgerReader;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.process.GoProgram;
import io.asynq.test.process.Repository;
import io.asynq.test.redis.StandaloneRedis;
import org.springframework.util.FileSystemUtils;

import static org.awaitility.Awaitility.await;

/**
 * A load that a Java and a Go worker have processed without faults. Each test gets the
 * Redis and the ledger of that run.
 */
final class CleanRun implements AutoCloseable {

	private static final int TASKS = 250;

	private static final Rules RULES = new Rules(Duration.ofSeconds(75), Duration.ZERO, null,
			Clock.systemUTC().instant());

	private final StandaloneRedis redis = StandaloneRedis.start();

	private final Path folder;

	private final Path goProgram = GoProgram.build(Repository.path("proof/reliability-tests/go"),
			Repository.path("proof/reliability-tests/target/go/reliability"));

	private final List<SavedKey> saved = new ArrayList<>();

	CleanRun(Path folder) throws InterruptedException {
		this.folder = folder;
		try (Fleet fleet = new Fleet(launcher()); LedgerWriter answers = writer("producer")) {
			fleet.start(WorkerKind.JAVA);
			fleet.start(WorkerKind.GO);
			fleet.awaitReady();
			new Producer(this.redis.connections(), answers, new Load(new Random(1), 4), TASKS, Duration.ofSeconds(1),
					false)
				.run();
			RedisView view = new RedisView(this.redis.connections());
			await().pollInterval(Duration.ofMillis(100))
				.until(() -> Load.QUEUES.keySet().stream().allMatch(view::isWorkedOff));
			fleet.terminateAll();
		}
		this.redis.node().<Void>call((jedis) -> {
			jedis.keys("*".getBytes())
				.forEach((key) -> this.saved.add(new SavedKey(key, jedis.dump(key), Math.max(0, jedis.pttl(key)))));
			return null;
		});
	}

	void restore() {
		this.redis.node().<Void>call((jedis) -> {
			jedis.flushAll();
			this.saved.forEach((saved) -> jedis.restore(saved.key(), saved.left(), saved.value()));
			return null;
		});
		try (Stream<Path> files = Files.list(ledgerFolder())) {
			files.filter((file) -> file.toString().contains("planted")).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	StandaloneRedis redis() {
		return this.redis;
	}

	Ledger ledger() {
		return LedgerReader.read(ledgerFolder());
	}

	/**
	 * Opens a file of the ledger, which the next {@link #restore()} removes if its name
	 * contains "planted".
	 */
	LedgerWriter writer(String name) {
		return writer(name, Clock.systemUTC());
	}

	LedgerWriter writer(String name, Clock clock) {
		return LedgerWriter.open(ledgerFolder(), name, clock);
	}

	Verdict judge() {
		return judge(RULES);
	}

	Verdict judge(Rules rules) {
		return new Checker(new RedisView(this.redis.connections()),
				new Inspectors(this.redis.connections(), this.goProgram, this.redis.goAddress()))
			.judge(ledger(), rules);
	}

	@Override
	public void close() throws IOException {
		this.redis.close();
		FileSystemUtils.deleteRecursively(this.folder);
	}

	private Launcher launcher() {
		Map<String, String> properties = Load.workerProperties();
		properties.putAll(this.redis.springProperties());
		properties.put("spring.main.keep-alive", "true");
		return new Launcher(properties, this.goProgram, this.redis.goAddress(), ledgerFolder(),
				this.folder.resolve("logs"));
	}

	private Path ledgerFolder() {
		return this.folder.resolve("ledger");
	}

	/** A key after the run. */
	private record SavedKey(byte[] key, byte[] value, long left) {

	}

}
