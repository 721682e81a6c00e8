package io.asynq.benchmarks.rivals;

import java.io.IOException;

import io.asynq.benchmarks.peer.PeerProgram;

/** Runs RQueue as a peer. */
public final class RqueueMain {

	private RqueueMain() {
	}

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new RqueuePeer());
	}

}
