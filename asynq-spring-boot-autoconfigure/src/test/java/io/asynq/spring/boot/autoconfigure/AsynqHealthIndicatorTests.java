package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.asynq.BrokerException;
import io.asynq.inspect.LoopInfo;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerHealth;
import io.asynq.server.ServerHealth.LastError;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerState;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class AsynqHealthIndicatorTests {

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	private static final LoopInfo FINE = new LoopInfo("asynq-processor", false, null, null, null);

	private static final LoopInfo FAILING = new LoopInfo("asynq-recoverer", false, "boom", NOW.minusSeconds(60), null);

	private static final LoopInfo DEAD = new LoopInfo("asynq-forwarder", true, null, null, null);

	private static final LoopInfo STALLED = new LoopInfo("asynq-janitor", false, null, null, NOW.minusSeconds(90));

	private final AsynqServer server = mock();

	private final AsynqScheduler scheduler = mock();

	private final PeriodicTaskManager manager = mock();

	private @Nullable BrokerException redis;

	private Instant now = NOW;

	private final Clock clock = new Clock() {

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return AsynqHealthIndicatorTests.this.now;
		}

	};

	private final AsynqHealthIndicator indicator = new AsynqHealthIndicator(() -> {
		if (this.redis != null) {
			throw this.redis;
		}
	}, this.clock, this.server, ServerOptions.builder().build(), this.scheduler, this.manager);

	@BeforeEach
	void isWell() {
		given(this.server.state()).willReturn(ServerState.ACTIVE);
		given(this.server.nodesAway()).willReturn(Map.of());
		given(this.scheduler.loops()).willReturn(List.of());
		given(this.manager.loops()).willReturn(List.of());
		health(false, false, null, FINE);
	}

	@Test
	void isUpAndTellsLastHeartbeat() {
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("server", "active")
			.containsEntry("lastHeartbeat", "2030-01-01T00:00:00Z")
			.doesNotContainKeys("lastError", "deadLoops", "failingLoops", "error");
	}

	@Test
	void isOutOfServiceWhenQuiet() {
		given(this.server.state()).willReturn(ServerState.STOPPED);
		health(true, false, null, FINE);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(health.getDetails()).containsEntry("server", "quiet");
	}

	@Test
	void isOutOfServiceWhenStopped() {
		given(this.server.state()).willReturn(ServerState.CLOSED);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
	}

	@Test
	void isUpWhileItHasNoHandlerOrWasNeverStarted() {
		for (ServerState state : List.of(ServerState.STOPPED, ServerState.NEW)) {
			given(this.server.state()).willReturn(state);
			assertThat(this.indicator.health().getStatus()).as(state.toString()).isEqualTo(Status.UP);
		}
	}

	@Test
	void isDownWhenHeartbeatIsMissedEvenIfQuiet() {
		health(true, true, null, FINE);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("heartbeat", "missed");
	}

	@Test
	void isDownWhenLoopOfServerIsDead() {
		health(false, false, null, FINE, DEAD);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("deadLoops", List.of("asynq-forwarder"));
	}

	@Test
	void isDownWhenLoopOfSchedulerIsDead() {
		given(this.scheduler.loops()).willReturn(List.of(DEAD));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void isDownWhenLoopOfServerHangs() {
		health(false, false, null, FINE, STALLED);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails().get("stalledLoops")).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly(Map.of("loop", "asynq-janitor", "since", "2029-12-31T23:58:30Z"));
	}

	@Test
	void isDownWhenLoopOfSchedulerHangs() {
		given(this.scheduler.loops()).willReturn(List.of(STALLED));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void tellsThatProviderHangsAndStaysUp() {
		given(this.manager.loops()).willReturn(List.of(STALLED));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsKey("stalledLoops");
	}

	@Test
	void givesHintOnce() {
		String hint = " (check spring.data.redis.password)";
		this.redis = new BrokerException("Redis refused CHECK: WRONGPASS" + hint, null);
		health(false, false, new LastError("asynq-janitor", "Redis refused CLEAN: WRONGPASS" + hint, NOW),
				new LoopInfo("asynq-janitor", false, "Redis refused CLEAN: WRONGPASS" + hint, NOW, null),
				new LoopInfo("asynq-recoverer", false, "something (else)", NOW, null));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("error", "Redis refused CHECK: WRONGPASS" + hint);
		assertThat(health.getDetails().get("failingLoops").toString())
			.contains("Redis refused CLEAN: WRONGPASS, since", "something (else)")
			.doesNotContain(hint);
		assertThat(health.getDetails().get("lastError").toString()).contains("Redis refused CLEAN: WRONGPASS")
			.doesNotContain(hint);
	}

	@Test
	void tellsThatProviderFailsAndStaysUp() {
		given(this.manager.loops()).willReturn(List.of(FAILING));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsKey("failingLoops");
	}

	@Test
	void tellsErrorsAndSinceWhenAndStaysUp() {
		health(false, false, new LastError("asynq-janitor", "gone", NOW.minusSeconds(5)), FINE, FAILING);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("failingLoops"))
			.hasToString("[{loop=asynq-recoverer, error=boom, since=2029-12-31T23:59:00Z}]");
		assertThat(health.getDetails().get("lastError"))
			.hasToString("{loop=asynq-janitor, error=gone, at=2029-12-31T23:59:55Z}");
	}

	@Test
	void tellsSinceWhenRedisIsUnusable() {
		this.redis = new BrokerException("Redis is away", null);
		this.indicator.health();
		this.now = NOW.plus(Duration.ofMinutes(1));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("error", "Redis is away")
			.containsEntry("since", "2030-01-01T00:00:00Z");
		this.redis = null;
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		this.redis = new BrokerException("Redis is away", null);
		assertThat(this.indicator.health().getDetails()).containsEntry("since", "2030-01-01T00:01:00Z");
	}

	@Test
	void namesUnreachableNodesAndStaysUpForOthers() {
		given(this.server.nodesAway()).willReturn(Map.of("10.0.0.7:6379", new TreeSet<>(Set.of("low"))));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("nodesAway")).hasToString("{10.0.0.7:6379=[low]}");
	}

	@Test
	void namesTypesWithoutHandlerAndStaysUp() {
		given(this.server.health())
			.willReturn(new ServerHealth(false, NOW, false, List.of(), null, Map.of("low", Map.of("mail:send", 3L))));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("typesWithoutHandler")).hasToString("{low={mail:send=3}}");
	}

	private void health(boolean quiet, boolean missed, @Nullable LastError error, LoopInfo... loops) {
		given(this.server.health()).willReturn(new ServerHealth(quiet, NOW, missed, List.of(loops), error, Map.of()));
	}

}
