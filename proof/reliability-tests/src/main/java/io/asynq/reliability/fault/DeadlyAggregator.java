package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.reliability.load.Deadly;
import io.asynq.reliability.process.Worker;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.StandaloneRedis;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.ZAddParams;

/** A supervisor restarts the processes at once. */
public final class DeadlyAggregator extends Fault {

	private static final String QUEUE = "default";

	private static final String PREFIX = "asynq:{" + QUEUE + "}:";

	private static final String SETS = PREFIX + "aggregation_sets";

	private static final String NOTES = "asynqj:{" + QUEUE + "}:aggregators";

	private static final int SIZE = 5;

	private static final int MOST_DEATHS = 4;

	/** Longer than a live server is given to report that its aggregator has ended. */
	private static final long LONG_AGO = 60;

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private final Map<Worker, Stage.Window> windows = new HashMap<>();

	private int deaths;

	private long archived;

	DeadlyAggregator() {
		super("deadly-aggregator", Scenario.of(1_000, 20), Scenario.of(6_000, 60));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		stage.fleet().workers().forEach((worker) -> open(stage, worker));
		stage.producer().crowd(QUEUE, Deadly.GROUP, SIZE);
		stage.await(PATIENCE, () -> {
			stage.fleet()
				.workers()
				.stream()
				.filter((worker) -> !worker.isAlive())
				.forEach((worker) -> replace(stage, worker));
			this.archived = stage.redis(StandaloneRedis.class).node().call(DeadlyAggregator::archived);
			return this.archived == SIZE;
		});
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		return (this.deaths > 1 && this.deaths <= MOST_DEATHS && this.archived == SIZE) ? List.of()
				: List.of(this.deaths + " servers have died, and " + this.archived + " of " + SIZE
						+ " tasks of the group were archived");
	}

	private void replace(Stage stage, Worker worker) {
		this.deaths++;
		this.windows.remove(worker).close();
		stage.fleet().kill(worker);
		long now = stage.clock().instant().getEpochSecond();
		stage.redis(StandaloneRedis.class).node().call((jedis) -> endTime(jedis, now));
		open(stage, stage.fleet().start(worker.kind()));
	}

	/**
	 * The server that staged the tasks of the group is dead, because no other could have
	 * them.
	 */
	private static boolean endTime(Jedis jedis, long now) {
		String ofGroup = PREFIX + "g:" + QUEUE + "-" + Deadly.GROUP + ":";
		for (String set : jedis.zrange(SETS, 0, -1)) {
			String note = jedis.hget(NOTES, set);
			if (set.startsWith(ofGroup) && note != null) {
				jedis.hset(NOTES, set, (now - LONG_AGO) + note.substring(note.indexOf('|')));
				jedis.zadd(SETS, now, set, ZAddParams.zAddParams().xx());
			}
		}
		return true;
	}

	private static long archived(Jedis jedis) {
		return IntStream.rangeClosed(1, SIZE)
			.filter((number) -> jedis.zscore(PREFIX + "archived", Deadly.GROUP + "-" + number) != null)
			.count();
	}

	private void open(Stage stage, Worker worker) {
		this.windows.put(worker, stage.window(worker.name(), Explains.ANY, "the end of " + worker));
	}

}
