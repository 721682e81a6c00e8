package io.asynq.benchmarks.rivals;

import java.io.IOException;

import io.asynq.benchmarks.peer.PeerProgram;

/** Runs db-scheduler as a peer. */
public final class DbSchedulerMain {

	private DbSchedulerMain() {
	}

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new DbSchedulerPeer());
	}

}
