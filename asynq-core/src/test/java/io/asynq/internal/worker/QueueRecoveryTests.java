package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.event.TaskEvents;
import io.asynq.server.ServerOptions;
import io.asynq.server.TestMessages;
import io.asynq.test.FakeCompleter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class QueueRecoveryTests {

	private final ServerCounters counters = new ServerCounters(List.of("default"));

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void outcomeThatRedisDoesNotTakeKeepsNoOtherFromBeingCounted(int refused) {
		BrokerUnavailableException away = new BrokerUnavailableException("away", null);
		TaskUpkeep leases = mock();
		given(leases.leaseDuration()).willReturn(Duration.ofSeconds(30));
		QueueRecovery recovery = new QueueRecovery("default", ServerOptions.builder().build(), leases,
				mock(ListedTasks.class), mock(RecoveryDecision.class),
				new FakeCompleter((outcomes) -> IntStream.range(0, outcomes.size())
					.mapToObj((i) -> (i == refused) ? OutcomeResult.unreachable(away) : OutcomeResult.APPLIED)
					.toList()),
				this.counters, TaskEvents.none());
		List<Outcome> outcomes = IntStream.range(0, 3)
			.mapToObj((i) -> TestMessages.leased(TestMessages.message("t" + i).build()))
			.<Outcome>map(Outcome.Requeue::new)
			.toList();
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> recovery.report(outcomes))
			.isSameAs(away);
		assertThat(this.counters.recovered.sum()).isEqualTo(2);
	}

}
