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
class QuietSwitchTests {

	private final ServerStatus status = new ServerStatus();

	private final Intake intake = new Intake(TestFetchers.of("default", (queue, max) -> new Dequeued(List.of(), true)),
			new Slots(1, () -> {
			}), new PrefetchBuffer(new QueueWeights(Map.of(), false), () -> {
			}), TestFetchers.nothingAhead(), new TestSink((tasks) -> {
			}), () -> {
			});

	private boolean hasHandler = true;

	private final QuietSwitch quietSwitch = new QuietSwitch(this.intake, this.status, () -> this.hasHandler,
			new Told());

	private final List<String> told = new ArrayList<>();

	@Test
	void takesTasksOnceThereIsHandler() {
		this.hasHandler = false;
		this.quietSwitch.start();
		assertTakes(false, ServerState.STOPPED);
		this.hasHandler = true;
		assertTakes(true, ServerState.ACTIVE);
	}

	@Test
	void serverQuietedBeforeFirstHandlerStaysQuiet() {
		this.hasHandler = false;
		this.quietSwitch.start();
		assertThat(this.quietSwitch.quiet()).isTrue();
		this.hasHandler = true;
		assertTakes(false, ServerState.STOPPED);
		assertThat(this.quietSwitch.quiet()).as("a second time").isFalse();
	}

	@Test
	void isQuietUntilNextStart() {
		this.quietSwitch.start();
		assertThat(this.quietSwitch.quiet()).isTrue();
		assertThat(this.quietSwitch.isQuiet()).isTrue();
		assertTakes(false, ServerState.STOPPED);
		this.quietSwitch.stop();
		assertThat(this.quietSwitch.isQuiet()).isFalse();
		assertTakes(false, ServerState.CLOSED);
		this.quietSwitch.start();
		assertTakes(true, ServerState.ACTIVE);
	}

	@Test
	void takesTasksAfterResume() {
		this.quietSwitch.start();
		this.quietSwitch.quiet();
		assertThat(this.quietSwitch.resume()).isTrue();
		assertTakes(true, ServerState.ACTIVE);
		assertThat(this.quietSwitch.resume()).as("a second time").isFalse();
	}

	@Test
	void waitsForHandlerAfterResume() {
		this.hasHandler = false;
		this.quietSwitch.start();
		assertThat(this.quietSwitch.resume()).as("not quiet, it waits").isFalse();
		assertThat(this.quietSwitch.isQuiet()).isFalse();
		this.quietSwitch.quiet();
		assertThat(this.quietSwitch.resume()).isTrue();
		assertTakes(false, ServerState.STOPPED);
		this.hasHandler = true;
		assertTakes(true, ServerState.ACTIVE);
	}

	@Test
	void stoppedServerDoesNotResume() {
		assertThat(this.quietSwitch.resume()).isFalse();
		this.quietSwitch.start();
		this.quietSwitch.stop();
		assertThat(this.quietSwitch.resume()).isFalse();
		assertTakes(false, ServerState.CLOSED);
	}

	@Test
	void stoppedServerIsNotQuieted() {
		assertThat(this.quietSwitch.quiet()).isFalse();
		assertTakes(false, ServerState.NEW);
		this.quietSwitch.start();
		this.quietSwitch.stop();
		assertThat(this.quietSwitch.quiet()).isFalse();
		assertTakes(false, ServerState.CLOSED);
	}

	@Test
	void listenersAreToldOfStartAndStop() {
		this.hasHandler = false;
		this.quietSwitch.start();
		this.quietSwitch.stop();
		this.hasHandler = true;
		this.quietSwitch.start();
		assertThat(this.told).containsExactly("started, takes tasks: false", "stops", "started, takes tasks: true");
	}

	private void assertTakes(boolean tasks, ServerState state) {
		assertThat(this.quietSwitch.takesTasks()).isEqualTo(tasks);
		assertThat(this.intake.isOpen()).isEqualTo(tasks);
		assertThat(this.status.get()).isEqualTo(state);
	}

	private final class Told implements QuietSwitch.Listener {

		@Override
		public void onStart(boolean takesTasks) {
			QuietSwitchTests.this.told.add("started, takes tasks: " + takesTasks);
		}

		@Override
		public void onStop() {
			QuietSwitchTests.this.told.add("stops");
		}

	}

}
