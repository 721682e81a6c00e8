package io.asynq.interop.peer;

/**
 * Both sides.
 *
 * @param java ours
 * @param go the other
 */
public record Peers(JavaPeer java, GoPeer go) implements AutoCloseable {

	@Override
	public void close() {
		try (this.go) {
			this.java.close();
		}
	}

}
