package io.asynq.reliability.outbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.asynq.inspect.QueueStats;
import io.asynq.reliability.check.Finding;
import io.asynq.test.ledger.TaskKey;
import io.asynq.test.redis.StandaloneRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A server in this JVM runs what arrives at once, so that ids are free again when rows
 * are sent a second time: only the outbox's marks keep them from running twice.
 */
public final class OutboxProof implements AutoCloseable {

	/** How long a machine under load may take for anything. */
	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private static final Duration LOOK = Duration.ofMillis(30);

	/** How often it is tried to find rows that are sent and not deleted. */
	private static final int TRIES = 100;

	/** So many transactions commit while Redis is away. */
	private static final int COMMITS_WITHOUT_REDIS = 50;

	private final StandaloneRedis redis;

	private final ShopDatabase database;

	private final Receiver receiver;

	private final Shop shop;

	private final long orders;

	private final List<Finding> findings = new ArrayList<>();

	/** How many orders there are: none is the last one while a kill is to come. */
	private long last = Long.MAX_VALUE;

	private int injected;

	private int sentBefore;

	public OutboxProof(StandaloneRedis redis, String database, Map<String, String> timing, long orders, Path log) {
		this.redis = redis;
		this.orders = orders;
		this.database = new ShopDatabase(database);
		this.shop = new Shop(redis.springProperties(), database, log);
		Map<String, String> properties = new LinkedHashMap<>(timing);
		properties.putAll(redis.springProperties());
		this.receiver = Receiver.start(properties);
	}

	public Result run(int kills) throws InterruptedException {
		this.shop.start(this.last);
		this.database.tableIsThere();
		long between = this.orders / (kills + 1);
		for (int kill = 0; kill < kills; kill++) {
			long begun = (kill + 1) * between;
			await("transactions", "they stand still", () -> this.database.begun() >= begun);
			switch (kill % 4) {
				case 0 -> killBetweenSendingAndDeleting();
				case 2 -> killWithoutRedis();
				default -> kill();
			}
			if (kill == kills - 1) {
				this.last = this.database.begun() + between;
			}
			this.shop.start(this.last);
		}
		await("transactions", "they did not come to their end", this::isOver);
		await("outbox", "it was not emptied", () -> this.database.rows().isEmpty());
		if (!this.shop.terminate()) {
			found("fault-took-effect", "application", "it did not end after SIGTERM");
		}
		return judge(kills);
	}

	@Override
	public void close() {
		this.shop.close();
		this.receiver.close();
		this.database.close();
	}

	private Result judge(int kills) {
		Set<Long> committed = this.database.committed();
		long tasks = (long) committed.size() * Orders.QUEUES.size();
		await("tasks", "they were not all handled",
				() -> this.receiver.receipts().all().size() >= tasks && stats().values()
					.stream()
					.allMatch((queue) -> queue.sizes().values().stream().allMatch((size) -> size == 0)));
		Map<TaskKey, Integer> runs = this.receiver.receipts().all();
		this.findings.addAll(OutboxJudge.judge(this.last, kills, committed, runs, stats()));
		return new Result(this.injected, tasks, runs.values().stream().mapToInt(Integer::intValue).sum(),
				this.sentBefore, this.findings);
	}

	private void kill() {
		this.shop.close();
		this.injected++;
		this.sentBefore += (int) sentRows();
	}

	/** While rows are held, those that are there can be sent, but not deleted. */
	private void killBetweenSendingAndDeleting() {
		for (int i = 0; i < TRIES && !isOver(); i++) {
			long before = this.database.committedCount();
			if (this.database.holdingRows(this::killIfRowsAreSent)) {
				return;
			}
			await("transactions", "they stand still", () -> isOver() || this.database.committedCount() > before);
		}
		found("fault-took-effect", "kill", "no row was sent and not deleted");
		kill();
	}

	private boolean killIfRowsAreSent() {
		if (this.database.rows().isEmpty()) {
			return false;
		}
		await("outbox", "no row that waits was sent", () -> sentRows() > 0);
		kill();
		return true;
	}

	private void killWithoutRedis() {
		this.redis.node().kill();
		this.injected++;
		long before = this.database.committedCount();
		await("transactions", "they do not commit without Redis",
				() -> isOver() || this.database.committedCount() >= before + COMMITS_WITHOUT_REDIS);
		kill();
		if (this.database.rows().isEmpty()) {
			found("fault-took-effect", "kill", "no row was left behind though Redis was away");
		}
		this.redis.node().restart();
	}

	private long sentRows() {
		Receiver.Receipts receipts = this.receiver.receipts();
		return this.database.rows().stream().filter(receipts::has).count();
	}

	/** Each thread of the application has drawn a number that is none any more. */
	private boolean isOver() {
		return this.database.begun() - Orders.THREADS >= this.last;
	}

	private Map<String, QueueStats> stats() {
		Map<String, QueueStats> stats = new LinkedHashMap<>();
		Orders.QUEUES.forEach((queue) -> stats.put(queue, this.receiver.stats(queue)));
		return stats;
	}

	private void await(String subject, String otherwise, Callable<Boolean> condition) {
		try {
			Awaitility.await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(LOOK).until(condition);
		}
		catch (ConditionTimeoutException ex) {
			found("fault-took-effect", subject, otherwise);
		}
	}

	private void found(String invariant, String subject, String detail) {
		this.findings.add(new Finding(invariant, subject, detail));
	}

	/** How many rows kills have left behind whose tasks had run before, among others. */
	public record Result(int injected, long tasks, long runs, int sentBefore, List<Finding> findings) {

		public Result on(String database) {
			return new Result(this.injected, this.tasks, this.runs, this.sentBefore,
					this.findings.stream()
						.map((finding) -> new Finding(finding.invariant(), finding.subject(),
								"on " + database + ", " + finding.detail()))
						.toList());
		}

	}

}
