package io.asynq.test.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ChildIT {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	@TempDir
	private Path folder;

	@Test
	void isReadyWhenItReportsSo() throws InterruptedException {
		try (Child child = start("echo starting; echo ready; cat")) {
			child.awaitReady(PATIENCE);
			assertThat(child.isAlive()).isTrue();
		}
	}

	@Test
	void endedProcessIsNotAwaited() {
		try (Child child = start("echo oops")) {
			assertThatIllegalStateException().isThrownBy(() -> child.awaitReady(PATIENCE))
				.withMessageContaining("child");
		}
	}

	/**
	 * A worker takes the end of its input for the end of this program.
	 */
	@Test
	void keepsInputDuringOrderlyEnd() throws InterruptedException {
		// The trap itself ends it: the signal may arrive before it reads
		String script = "trap 'echo ending > done; exit 0' TERM; echo ready; read line; echo eof > eof";
		try (Child child = start("cd " + this.folder + "; " + script)) {
			child.awaitReady(PATIENCE);
			assertThat(child.terminate(PATIENCE)).isTrue();
		}
		assertThat(this.folder.resolve("done")).exists();
		assertThat(this.folder.resolve("eof")).doesNotExist();
	}

	@Test
	void isKilledWhenItDoesNotEnd() throws InterruptedException {
		try (Child child = start("trap '' TERM; echo ready; while :; do read line; done")) {
			child.awaitReady(PATIENCE);
			assertThat(child.terminate(Duration.ofMillis(200))).isFalse();
			assertThat(child.isAlive()).isFalse();
		}
	}

	private Child start(String script) {
		return Child.start("child", List.of("sh", "-c", script), this.folder.resolve("child.log"));
	}

}
