package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.asynq.test.Tier;
import org.awaitility.Awaitility;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ConfigurableApplicationContext;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often an application tries to use a Redis that it cannot use, and what it says.
 */
final class VainTries {

	static final int SECONDS = Tier.choose(3, 12);

	/**
	 * How often a loop may try in that time: its pauses double from 0.1 s to 3 s.
	 */
	static final int TRIES = Tier.choose(6, SECONDS);

	/** Processor, forwarder, recoverer, janitor, heartbeater, two subscriptions. */
	static final int LOOPS = 7;

	/** The additional calls of the recoverer, once a minute and at the start. */
	static final int SWEEP = 4;

	private VainTries() {
	}

	/**
	 * Runs an application and returns its number of tries in {@link #SECONDS}.
	 */
	static long attempts(int port, LongSupplier counter, CapturedOutput output, List<String> said,
			String... properties) {
		long begin = System.nanoTime();
		try (ConfigurableApplicationContext context = TestApplication.run(TestApplication.class, port, properties)) {
			long before = counter.getAsLong();
			long start = System.nanoTime();
			// A rate can only be measured over time: no signal ends this sooner
			Awaitility.await().forever().until(() -> System.nanoTime() - start >= TimeUnit.SECONDS.toNanos(SECONDS));
			long attempts = (counter.getAsLong() - before) * SECONDS * 1_000_000_000L / (System.nanoTime() - start);
			Health health = context.getBean(AsynqHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails().get("error")).asString().contains(said);
			List<String> warnings = output.getOut()
				.lines()
				.filter((line) -> line.contains(" WARN ") || line.contains(" ERROR "))
				.toList();
			int threeSeconds = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) / 3;
			assertThat(warnings).as("one line every three seconds").hasSizeBetween(1, threeSeconds + 2);
			assertThat(warnings).allSatisfy((line) -> assertThat(line).contains(said));
			assertThat(output.getOut()).as("nothing has worked yet").doesNotContain("works again");
			return attempts;
		}
	}

	static long info(Jedis jedis, String section, String name) {
		return jedis.info(section)
			.lines()
			.filter((line) -> line.startsWith(name))
			.mapToLong((line) -> Long.parseLong(line.substring(name.length()).trim()))
			.findFirst()
			.orElseThrow();
	}

}
