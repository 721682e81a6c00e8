package io.asynq.benchmarks.rivals;

import java.io.IOException;

import io.asynq.benchmarks.peer.PeerProgram;

/** Runs Redisson as a peer. */
public final class RedissonMain {

	private RedissonMain() {
	}

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new RedissonPeer());
	}

}
