package io.asynq.console.view;

import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

import io.asynq.console.http.Calls;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What screens that browsers read again and again cost Redis.
 */
@ExtendWith(RedisExtension.class)
class SharedReadingsIT {

	private final RedisState state;

	@AutoClose
	private final Views views;

	private final Calls calls;

	SharedReadingsIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		// As long as a slow machine may take for this test
		this.views = new Views(factory, Map.of("refresh", "1m"), null, null);
		this.calls = this.views.calls();
	}

	@Test
	void tenBrowsersThatAskCostRedisWhatOneCosts() {
		this.views.enqueue("default", "x", "a", "{}");
		this.views.serve("default", Set.of("x"), "a", Instant.now(), Instant.now().plusSeconds(60));
		long begin = commands();
		askAll();
		long one = commands() - begin;
		for (int browser = 0; browser < 9; browser++) {
			askAll();
		}
		long ten = commands() - begin;
		assertThat(one).as("what one costs").isGreaterThan(10);
		// The count counts itself
		assertThat(ten - one).as("what nine more cost").isLessThanOrEqualTo(2);
	}

	@Test
	void figuresSayWhenTheyWereRead() {
		Map<String, String> first = times();
		this.views.enqueue("default", "x", "a", "{}");
		assertThat(times()).isEqualTo(first);
	}

	@Test
	void whoHasNoStreamAsksForTheCountsOfOneQueue() {
		this.views.enqueue("default", "x", "a", "{}");
		assertThat(this.calls.get("counts", "q", "default").path("sizes").path("pending").asInt()).isEqualTo(1);
		assertThat(Calls.code(catchThrowable(() -> this.calls.get("counts", "q", "nobody"))))
			.isEqualTo("404 not-found");
	}

	@Test
	void queueThatIsYoungerThanTheLastReadingHasCounts() {
		this.calls.get("overview");
		this.views.enqueue("young", "x", "a", "{}");
		assertThat(this.calls.get("counts", "q", "young").path("sizes").path("pending").asInt()).isEqualTo(1);
	}

	private void askAll() {
		this.calls.get("overview");
		this.calls.get("counts", "q", "default");
		this.calls.get("history", "days", "7");
		this.calls.get("servers");
		this.calls.get("schedulers");
		this.calls.get("redis");
		this.calls.get("jobs");
	}

	private Map<String, String> times() {
		return Map.of("overview", this.calls.get("overview").path("asOf").asString(), "servers",
				this.calls.get("servers").path("asOf").asString(), "schedulers",
				this.calls.get("schedulers").path("asOf").asString(), "redis",
				this.calls.get("redis").path("asOf").asString(), "preflight",
				this.calls.get("redis").path("checkedAt").asString());
	}

	/** Scripts count as one, and so does each command in them: all work of Redis. */
	private long commands() {
		Properties stats = this.state.redis()
			.execute((RedisCallback<Properties>) (connection) -> connection.serverCommands().info("commandstats"));
		return stats.values()
			.stream()
			.map(String::valueOf)
			.mapToLong((text) -> Long.parseLong(text.replaceAll("^calls=(\\d+),.*", "$1")))
			.sum();
	}

}
