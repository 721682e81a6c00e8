package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.StandaloneRedis;
import redis.clients.jedis.Jedis;

/** A kill falls into the aggregator's call, or between storing and deleting. */
public final class SigKillAggregating extends Fault {

	private static final String QUEUE = "default";

	private static final String LEFT_OVER = "asynqj:{" + QUEUE + "}:aggregated";

	private static final int CROWD = 8_000;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/** A kill may come too late. */
	private static final int TRIES = 6;

	private int crowds;

	private final List<String> missed = new ArrayList<>();

	SigKillAggregating() {
		super("sigkill-aggregating", Scenario.of(600, 8), Scenario.of(6_000, 60));
		with((scenario) -> scenario.workers(WorkerKind.JAVA)
			.property("asynq.server.group-max-size", "0")
			.property("asynq.server.group-max-delay", "0s")
			.property("reliability.aggregation", "1500ms"));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		int rounds = (stage.scale() == Scale.QUICK) ? 1 : 4;
		for (int i = 0; i < rounds; i++) {
			killWhileAggregating(stage);
			killWhileDeleting(stage);
		}
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		return this.missed;
	}

	private void killWhileAggregating(Stage stage) throws InterruptedException {
		for (int i = 0; i < TRIES; i++) {
			Instant begin = stage.clock().instant();
			crowd(stage);
			stage.await(PATIENCE, () -> isAggregating(stage.ledger(), begin));
			if (kill(stage, "while its aggregator works", this::isStaged)) {
				return;
			}
		}
		this.missed.add("no kill came while an aggregator was at work");
	}

	private void killWhileDeleting(Stage stage) throws InterruptedException {
		for (int i = 0; i < TRIES; i++) {
			crowd(stage);
			boolean begun = stage.redis(StandaloneRedis.class).node().call(SigKillAggregating::awaitDeletion);
			if (kill(stage, "while it deletes what was aggregated", (jedis) -> begun && jedis.exists(LEFT_OVER))) {
				return;
			}
		}
		this.missed.add("no kill came between the storing of a task and the deletion of those that it is made of");
	}

	private void crowd(Stage stage) {
		this.crowds++;
		stage.producer().crowd(QUEUE, crowdName(), CROWD);
	}

	private String crowdName() {
		return "crowd" + this.crowds;
	}

	/**
	 * Returns whether the last tasks have left their group and are not aggregated yet.
	 */
	private boolean isStaged(Jedis jedis) {
		return jedis.exists("asynq:{" + QUEUE + "}:t:" + crowdName() + "-1")
				&& !jedis.exists("asynq:{" + QUEUE + "}:g:" + QUEUE + "-" + crowdName());
	}

	private static boolean isAggregating(Ledger ledger, Instant since) {
		return ledger.aggregations()
			.made()
			.values()
			.stream()
			.anyMatch((aggregation) -> aggregation.members().size() > CROWD / 2 && aggregation.time().isAfter(since));
	}

	/** Polls without a pause, because the awaited state lasts for milliseconds. */
	private static boolean awaitDeletion(Jedis jedis) {
		long latest = System.nanoTime() + PATIENCE.toNanos();
		while (System.nanoTime() < latest) {
			if (jedis.exists(LEFT_OVER)) {
				return true;
			}
		}
		return false;
	}

	private static boolean kill(Stage stage, String when, Function<Jedis, Boolean> hasHit) throws InterruptedException {
		Worker victim = stage.fleet().workers().get(0);
		// Nothing is recovered until there is another worker
		try (Stage.Window window = stage.window(Explains.ANY, "SIGKILL of " + victim + " " + when)) {
			stage.fleet().kill(victim);
			boolean hit = stage.redis(StandaloneRedis.class).node().call(hasHit);
			stage.fleet().start(WorkerKind.JAVA).awaitReady();
			return hit;
		}
	}

}
