package io.asynq.benchmarks.rivals;

import java.nio.file.Path;
import java.util.List;

import io.asynq.benchmarks.peer.Settings;

/** Rejects what a rival does not support, so that no figure is mistaken for another. */
final class Rivals {

	private Rivals() {
	}

	static void serve(Settings settings, boolean retries) {
		queue(settings);
		tuned(settings);
		if (!"platform".equals(settings.text("threads", "platform"))) {
			throw new UnsupportedOperationException("This peer has threads=platform only");
		}
		if (settings.flag("fail_first") && !retries) {
			throw new UnsupportedOperationException("This peer does not retry within seconds what failed");
		}
	}

	static void enqueue(Settings settings, String... modes) {
		queue(settings);
		tuned(settings);
		// "pace" has no mode
		String mode = settings.text("mode", "single");
		if (!List.of(modes).contains(mode)) {
			throw new UnsupportedOperationException("This peer has no mode=" + mode + " but " + List.of(modes));
		}
	}

	static String queue(Settings settings) {
		if (settings.queues().size() != 1) {
			throw new UnsupportedOperationException("This peer takes one queue only");
		}
		return settings.firstQueue();
	}

	static boolean tuned(Settings settings) {
		String variant = settings.text("variant", "default");
		return switch (variant) {
			case "default" -> false;
			case "tuned" -> true;
			default -> throw new IllegalArgumentException("Unknown variant: " + variant);
		};
	}

	/** By the name of a jar: libraries tell their versions in many ways or not at all. */
	static String version(Class<?> type) {
		String file = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
			.getFileName()
			.toString();
		return file.substring(0, file.length() - ".jar".length());
	}

}
