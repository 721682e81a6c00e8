package io.asynq.benchmarks.rivals;

import java.nio.file.Path;

/**
 * Libraries know their versions in many ways or not at all, but every jar of a repository
 * has its version in its name.
 */
final class Jar {

	private Jar() {
	}

	static String name(Class<?> type) {
		String file = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
			.getFileName()
			.toString();
		return file.substring(0, file.length() - ".jar".length());
	}

}
