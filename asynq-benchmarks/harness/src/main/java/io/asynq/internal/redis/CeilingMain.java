package io.asynq.internal.redis;

import java.io.IOException;

import io.asynq.benchmarks.peer.PeerProgram;

/** Runs a bare loop over Jedis as a peer. */
public final class CeilingMain {

	private CeilingMain() {
	}

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new CeilingPeer());
	}

}
