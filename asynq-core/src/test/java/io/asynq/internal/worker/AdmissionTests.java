package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.server.QueueWeights;
import io.asynq.server.ServerState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a server takes tasks.
 */
class AdmissionTests {

	private final ServerStatus status = new ServerStatus();

	private final Intake intake = new Intake(TestFetchers.of("default", (queue, max) -> new Dequeued(List.of(), true)),
			new Slots(1, () -> {
			}), new HeldTasks(new QueueWeights(Map.of(), false), () -> {
			}), TestFetchers.nothingAhead(), new TestSink((tasks) -> {
			}), () -> {
			});

	private boolean hasHandler = true;

	private final Admission admission = new Admission(this.intake, this.status, () -> this.hasHandler, new Told());

	private final List<String> told = new ArrayList<>();

	@Test
	void takesTasksOnceThereIsHandler() {
		this.hasHandler = false;
		this.admission.start();
		assertTakes(false, ServerState.STOPPED);
		this.hasHandler = true;
		assertTakes(true, ServerState.ACTIVE);
	}

	@Test
	void serverQuietedBeforeFirstHandlerStaysQuiet() {
		this.hasHandler = false;
		this.admission.start();
		assertThat(this.admission.quiet()).isTrue();
		this.hasHandler = true;
		assertTakes(false, ServerState.STOPPED);
		assertThat(this.admission.quiet()).as("a second time").isFalse();
	}

	@Test
	void isQuietUntilNextStart() {
		this.admission.start();
		assertThat(this.admission.quiet()).isTrue();
		assertThat(this.admission.isQuiet()).isTrue();
		assertTakes(false, ServerState.STOPPED);
		this.admission.stop();
		assertThat(this.admission.isQuiet()).isFalse();
		assertTakes(false, ServerState.CLOSED);
		this.admission.start();
		assertTakes(true, ServerState.ACTIVE);
	}

	@Test
	void takesTasksAfterResume() {
		this.admission.start();
		this.admission.quiet();
		assertThat(this.admission.resume()).isTrue();
		assertTakes(true, ServerState.ACTIVE);
		assertThat(this.admission.resume()).as("a second time").isFalse();
	}

	@Test
	void waitsForHandlerAfterResume() {
		this.hasHandler = false;
		this.admission.start();
		assertThat(this.admission.resume()).as("not quiet, it waits").isFalse();
		assertThat(this.admission.isQuiet()).isFalse();
		this.admission.quiet();
		assertThat(this.admission.resume()).isTrue();
		assertTakes(false, ServerState.STOPPED);
		this.hasHandler = true;
		assertTakes(true, ServerState.ACTIVE);
	}

	@Test
	void stoppedServerDoesNotResume() {
		assertThat(this.admission.resume()).isFalse();
		this.admission.start();
		this.admission.stop();
		assertThat(this.admission.resume()).isFalse();
		assertTakes(false, ServerState.CLOSED);
	}

	@Test
	void stoppedServerIsNotQuieted() {
		assertThat(this.admission.quiet()).isFalse();
		assertTakes(false, ServerState.NEW);
		this.admission.start();
		this.admission.stop();
		assertThat(this.admission.quiet()).isFalse();
		assertTakes(false, ServerState.CLOSED);
	}

	@Test
	void listenersAreToldOfStartAndStop() {
		this.hasHandler = false;
		this.admission.start();
		this.admission.stop();
		this.hasHandler = true;
		this.admission.start();
		assertThat(this.told).containsExactly("started, takes tasks: false", "stops", "started, takes tasks: true");
	}

	private void assertTakes(boolean tasks, ServerState state) {
		assertThat(this.admission.isOpen()).isEqualTo(tasks);
		assertThat(this.intake.isOpen()).isEqualTo(tasks);
		assertThat(this.status.get()).isEqualTo(state);
	}

	private final class Told implements Admission.Listener {

		@Override
		public void onStart(boolean takesTasks) {
			AdmissionTests.this.told.add("started, takes tasks: " + takesTasks);
		}

		@Override
		public void onStop() {
			AdmissionTests.this.told.add("stops");
		}

	}

}
