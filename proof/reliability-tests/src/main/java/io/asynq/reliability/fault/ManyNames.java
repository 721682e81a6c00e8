package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.asynq.reliability.process.Worker;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.CommandWatch;
import io.asynq.test.redis.RedisNode;
import io.asynq.test.redis.StandaloneRedis;

/** Like a queue per tenant, while servers come and go. */
public final class ManyNames extends Fault {

	private static final int NAMES = 20_000;

	private static final String PREFIX = "many-names-";

	private final AtomicLong commands = new AtomicLong();

	private final AtomicLong askedFor = new AtomicLong();

	ManyNames() {
		super("many-names", Scenario.of(2_500, 10), Scenario.of(15_000, 30));
		with((scenario) -> scenario.property("asynq.metrics.queues.enabled", "false"));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		RedisNode redis = stage.redis(StandaloneRedis.class).node();
		String[] names = IntStream.range(0, NAMES).mapToObj((i) -> PREFIX + i).toArray(String[]::new);
		try (Stage.Window window = stage.window(Explains.NOTHING, NAMES + " names in asynq:queues")) {
			redis.call((jedis) -> jedis.sadd("asynq:queues", names));
			try (CommandWatch watch = redis.watch(this::look)) {
				for (Worker old : stage.fleet().workers()) {
					stage.fleet().start(old.kind()).awaitReady();
					stage.terminate(old, Explains.REQUEUED);
				}
				while (stage.feeding()) {
					stage.pause(Duration.ofMillis(200));
				}
			}
			finally {
				redis.call((jedis) -> jedis.srem("asynq:queues", names));
			}
		}
	}

	private void look(String command) {
		this.commands.incrementAndGet();
		if (command.contains("{" + PREFIX)) {
			this.askedFor.incrementAndGet();
		}
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		if (this.askedFor.get() > 0) {
			return List.of("queues that nobody serves were asked for " + this.askedFor + " times");
		}
		return (this.commands.get() == 0) ? List.of("Redis told of no command at all") : List.of();
	}

}
