package io.asynq.benchmarks.asynq;

import java.io.IOException;

import io.asynq.benchmarks.peer.PeerProgram;

/** Runs this project as a peer. */
public final class AsynqMain {

	private AsynqMain() {
	}

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new AsynqPeer());
	}

}
