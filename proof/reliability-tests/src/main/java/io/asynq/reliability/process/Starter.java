package io.asynq.reliability.process;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The program that has started this one, and holds the other end of its input. */
public final class Starter {

	private Starter() {
	}

	public static void endWithIt() {
		Thread watch = new Thread(Starter::watch, "starter-watch");
		watch.setDaemon(true);
		watch.start();
	}

	private static void watch() {
		try {
			while (System.in.read() >= 0) {
				// No content is sent, only the end matters
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Runtime.getRuntime().halt(1);
	}

}
