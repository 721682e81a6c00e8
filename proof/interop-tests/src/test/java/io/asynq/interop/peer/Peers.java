package io.asynq.interop.peer;

/**
 * Both sides.
 *
 * @param java this library
 * @param go Go asynq
 */
public record Peers(JavaPeer java, GoPeer go) implements AutoCloseable {

	@Override
	public void close() {
		try (this.go) {
			this.java.close();
		}
	}

}
