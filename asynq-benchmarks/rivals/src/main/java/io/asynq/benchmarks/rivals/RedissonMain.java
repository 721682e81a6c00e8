package io.asynq.benchmarks.rivals;

import java.io.IOException;

import io.asynq.benchmarks.peer.PeerProgram;

/**
 * Obeys as Redisson.
 */
public final class RedissonMain {

	private RedissonMain() {
	}

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new RedissonPeer());
	}

}
