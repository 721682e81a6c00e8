package io.asynq.benchmarks.rivals;

import java.io.IOException;

import io.asynq.benchmarks.peer.PeerProgram;

/**
 * Obeys as db-scheduler.
 */
public final class DbSchedulerMain {

	private DbSchedulerMain() {
	}

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new DbSchedulerPeer());
	}

}
