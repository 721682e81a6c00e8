package io.asynq.internal.redis;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.OutcomeResult.Status;
import io.asynq.test.TestRedisCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.MigrateParams;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The slot of a queue is moving to another node: some of its keys are here and some
 * there.
 */
@OnDrivers({ Driver.CLUSTER, Driver.LETTUCE_CLUSTER })
class MovingSlotContract extends BrokerContract {

	private static final int SLOT = JedisClusterCRC16.getSlot("asynq:{default}:");

	private final List<HostAndPort> nodes = TestRedisCluster.shared().nodes().stream().map(HostAndPort::from).toList();

	private HostAndPort source;

	private HostAndPort target;

	MovingSlotContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@BeforeEach
	void begin() {
		this.source = this.nodes.stream().filter(MovingSlotContract::serves).findFirst().orElseThrow();
		this.target = this.nodes.stream().filter((node) -> !node.equals(this.source)).findFirst().orElseThrow();
	}

	@AfterEach
	void end() {
		String id = id(this.target);
		on(this.source, (jedis) -> move(jedis, jedis.clusterGetKeysInSlot(SLOT, 1000)));
		on(this.target, (jedis) -> jedis.clusterSetSlotNode(SLOT, id));
		on(this.source, (jedis) -> jedis.clusterSetSlotNode(SLOT, id));
	}

	@Test
	void outcomeIsRefusedAsWholeWhenTaskHasMoved() {
		LeasedTask task = active();
		countSome();
		moving();
		on(this.source, (jedis) -> move(jedis, List.of("asynq:{default}:t:t1")));
		OutcomeResult refused = report(task);
		assertThat(refused.status()).isEqualTo(Status.UNREACHABLE);
		assertThat(refused.error()).hasMessageContaining("nothing was done, try again");
		on(this.source, (jedis) -> {
			assertThat(jedis.lrange("asynq:{default}:active", 0, -1)).containsExactly("t1");
			assertThat(jedis.zcard("asynq:{default}:lease")).isEqualTo(1);
		});
		end();
		assertThat(report(task)).isEqualTo(OutcomeResult.APPLIED);
		assertThat(this.state.exists("asynq:{default}:t:t1")).isFalse();
		this.state.assertActive(QUEUE);
	}

	@Test
	void outcomeIsRefusedAsWholeWhenTaskHasNotMovedYet() {
		LeasedTask task = active();
		countSome();
		moving();
		on(this.source,
				(jedis) -> move(jedis,
						jedis.clusterGetKeysInSlot(SLOT, 1000)
							.stream()
							.filter((key) -> !key.equals("asynq:{default}:t:t1"))
							.toList()));
		OutcomeResult refused = report(task);
		assertThat(refused.status()).isEqualTo(Status.UNREACHABLE);
		assertThat(refused.error()).hasMessageContaining("nothing was done, try again");
		end();
		this.state.assertActive(QUEUE, "t1");
		assertThat(report(task)).isEqualTo(OutcomeResult.APPLIED);
	}

	@Test
	void schedulerDeletesHistoryOfMovedEntry() {
		Instant now = this.clock.instant();
		List<String> entries = List.of("elsewhere", "here{default}");
		entries.forEach((entry) -> this.broker.schedulers().recordEnqueued(entry, "t1", now));
		moving();
		on(this.source, (jedis) -> move(jedis, List.of("asynq:scheduler_history:here{default}")));
		this.broker.schedulers().forget(new ServerIdentity("h1", 123, "one"), entries);
		end();
		assertThat(entries)
			.allSatisfy((entry) -> assertThat(this.state.exists("asynq:scheduler_history:" + entry)).isFalse());
	}

	private OutcomeResult report(LeasedTask task) {
		return this.broker.completer().report(List.of(new Outcome.Done(task))).get(0);
	}

	private LeasedTask active() {
		TaskMessage message = RedisState.message(QUEUE, "t1").build();
		Instant end = this.clock.instant().plusSeconds(30);
		this.state.seedActive(end, message);
		this.state.seedField(QUEUE, "t1", "x-attempt", utf8("present@" + end.getEpochSecond()));
		return new LeasedTask(message, new Lease(QUEUE, "t1", "present", System.nanoTime()));
	}

	/**
	 * Creates all keys that the script uses.
	 */
	private void countSome() {
		this.state.redis().opsForValue().set("asynq:{default}:processed", "1");
		this.state.redis().opsForValue().set("asynq:{default}:processed:" + DAY, "1");
	}

	private void moving() {
		String from = id(this.source);
		String to = id(this.target);
		on(this.target, (jedis) -> jedis.clusterSetSlotImporting(SLOT, from));
		on(this.source, (jedis) -> jedis.clusterSetSlotMigrating(SLOT, to));
	}

	private void move(Jedis from, List<String> keys) {
		if (!keys.isEmpty()) {
			from.migrate(this.target.getHost(), this.target.getPort(), 5000, new MigrateParams(),
					keys.toArray(String[]::new));
		}
	}

	private static boolean serves(HostAndPort node) {
		try (Jedis jedis = new Jedis(node, DefaultJedisClientConfig.builder().timeoutMillis(60_000).build())) {
			return jedis.clusterNodes()
				.lines()
				.filter((line) -> line.contains("myself"))
				.flatMap((line) -> List.of(line.split(" ")).stream().skip(8))
				.map((range) -> range.split("-"))
				.anyMatch((ends) -> !ends[0].startsWith("[") && Integer.parseInt(ends[0]) <= SLOT
						&& SLOT <= Integer.parseInt(ends[ends.length - 1]));
		}
	}

	private static String id(HostAndPort node) {
		try (Jedis jedis = new Jedis(node, DefaultJedisClientConfig.builder().timeoutMillis(60_000).build())) {
			return jedis.clusterMyId();
		}
	}

	private static void on(HostAndPort node, Consumer<Jedis> use) {
		try (Jedis jedis = new Jedis(node, DefaultJedisClientConfig.builder().timeoutMillis(60_000).build())) {
			use.accept(jedis);
		}
	}

}
