package io.asynq.benchmarks.rivals;

import java.nio.file.Path;

/**
 * Finds the version of a library in the name of its jar: libraries tell their versions in
 * many ways or not at all.
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
