package io.asynq.internal.lifecycle;

import java.util.Comparator;

import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link ServerPhase}.
 */
class ServerPhaseTests {

	@Test
	void startsReceiversBeforeSenders() {
		assertThat(ServerPhase.values()).containsExactly(ServerPhase.LISTENERS, ServerPhase.HEARTBEATER,
				ServerPhase.HEALTH_CHECKER, ServerPhase.AGGREGATOR, ServerPhase.JANITOR, ServerPhase.UNHANDLED_TASKS,
				ServerPhase.SUBSCRIBER, ServerPhase.SYNCER, ServerPhase.LIMITS, ServerPhase.DEADLINE_WATCH,
				ServerPhase.RECOVERER, ServerPhase.PROCESSOR, ServerPhase.ARRIVAL_WATCH, ServerPhase.FORWARDER,
				ServerPhase.SCHEDULER);
	}

	@Test
	void hasOneAscendingValuePerComponent() {
		assertThat(ServerPhase.values()).extracting(ServerPhase::value).doesNotHaveDuplicates();
		assertThat(ServerPhase.values()).isSortedAccordingTo(Comparator.comparingInt(ServerPhase::value));
	}

	@Test
	void startsAfterWebServersAndStopsBeforeThem() {
		// Where Spring Boot begins the graceful shutdown of web servers
		int webServer = SmartLifecycle.DEFAULT_PHASE - 1024;
		assertThat(ServerPhase.values()).extracting(ServerPhase::value)
			.allMatch((phase) -> phase > webServer && phase < SmartLifecycle.DEFAULT_PHASE);
	}

}
