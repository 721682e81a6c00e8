package io.asynq.benchmarks.asynq;

import java.io.IOException;

import io.asynq.benchmarks.peer.PeerProgram;

/**
 * Obeys as this project.
 */
public final class AsynqMain {

	private AsynqMain() {
	}

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new AsynqPeer());
	}

}
