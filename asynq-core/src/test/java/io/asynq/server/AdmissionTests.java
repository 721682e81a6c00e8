package io.asynq.server;

import java.util.List;
import java.util.Map;

import io.asynq.broker.Dequeued;
import io.asynq.broker.QueueWeights;
import io.asynq.lifecycle.LoopErrorLog;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a server takes tasks.
 */
class AdmissionTests {

	private final ServerStatus status = new ServerStatus();

	private final Intake intake = new Intake(new TaskFetcher((queue, max) -> new Dequeued(List.of(), true),
			new QueueWeights(Map.of("default", 1), false),
			new PostponeBudget(System::nanoTime, (queue, length) -> true), TestLanes.single().lanes(),
			new LoopErrorLog()), new Slots(1, () -> {
			}), (queue, tasks) -> {
			}, (tasks) -> {
			}, () -> {
			});

	private boolean hasHandler = true;

	private final Admission admission = new Admission(this.intake, this.status, () -> this.hasHandler);

	@Test
	void takesTasksOnceThereIsAHandler() {
		this.hasHandler = false;
		this.admission.start();
		assertTakes(false, ServerState.STOPPED);
		this.hasHandler = true;
		assertTakes(true, ServerState.ACTIVE);
	}

	@Test
	void aServerThatWasMadeQuietBeforeItHadAHandlerStaysQuiet() {
		this.hasHandler = false;
		this.admission.start();
		assertThat(this.admission.quiet()).isTrue();
		this.hasHandler = true;
		assertTakes(false, ServerState.STOPPED);
		assertThat(this.admission.quiet()).as("a second time").isFalse();
	}

	@Test
	void isQuietUntilTheNextStart() {
		this.admission.start();
		assertThat(this.admission.quiet()).isTrue();
		assertTakes(false, ServerState.STOPPED);
		this.admission.stop();
		assertTakes(false, ServerState.CLOSED);
		this.admission.start();
		assertTakes(true, ServerState.ACTIVE);
	}

	@Test
	void whatDoesNotRunIsNotMadeQuiet() {
		assertThat(this.admission.quiet()).isFalse();
		assertTakes(false, ServerState.NEW);
		this.admission.start();
		this.admission.stop();
		assertThat(this.admission.quiet()).isFalse();
		assertTakes(false, ServerState.CLOSED);
	}

	private void assertTakes(boolean tasks, ServerState state) {
		assertThat(this.admission.isOpen()).isEqualTo(tasks);
		assertThat(this.intake.isOpen()).isEqualTo(tasks);
		assertThat(this.status.get()).isEqualTo(state);
	}

}
