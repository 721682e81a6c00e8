package io.asynq.benchmarks.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(300)
class PeerProcessIT {

	@TempDir
	private Path folder;

	@Test
	void sendsLineAndReadsAnswer() {
		try (PeerProcess peer = shell("while read line; do echo \"ok line=$(echo \"$line\" | tr ' =' '_:')\"; done")) {
			assertThat(peer.call("await", Map.of("tasks", 3)).text("line")).isEqualTo("await_tasks:3");
			assertThat(peer.call("stop", Map.of()).text("line")).isEqualTo("stop");
		}
	}

	@Test
	void errorNamesPeerItsAnswerAndItsLog() throws Exception {
		try (PeerProcess peer = shell("read line; echo why >&2; echo error it hurts; cat")) {
			assertThatIllegalStateException().isThrownBy(() -> peer.call("stop", Map.of()))
				.withMessageContaining("'sample'")
				.withMessageContaining("error it hurts")
				.withMessageContaining(log().toString());
		}
		assertThat(Files.readString(log())).isEqualTo("why\n");
	}

	@Test
	void endedPeerIsAnError() {
		try (PeerProcess peer = shell("exit 3")) {
			for (int i = 0; i < 2; i++) {
				assertThatIllegalStateException().isThrownBy(() -> peer.call("stop", Map.of()))
					.withMessageContaining("'sample' says: nothing, it has ended");
			}
		}
	}

	@Test
	void closingEndsTheProcess() throws Exception {
		PeerProcess peer = shell("cat");
		ProcessHandle process = ProcessHandle.of(peer.pid()).orElseThrow();
		assertThat(process.isAlive()).isTrue();
		peer.close();
		process.onExit().get(60, TimeUnit.SECONDS);
		assertThat(process.isAlive()).isFalse();
	}

	private PeerProcess shell(String script) {
		return PeerProcess.start("sample", List.of("sh", "-c", script), log());
	}

	private Path log() {
		return this.folder.resolve("sample.log");
	}

}
