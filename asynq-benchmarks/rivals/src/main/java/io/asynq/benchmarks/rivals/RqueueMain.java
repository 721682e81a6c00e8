package io.asynq.benchmarks.rivals;

import java.io.IOException;

import io.asynq.benchmarks.peer.PeerProgram;

/**
 * Obeys as RQueue.
 */
public final class RqueueMain {

	private RqueueMain() {
	}

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new RqueuePeer());
	}

}
