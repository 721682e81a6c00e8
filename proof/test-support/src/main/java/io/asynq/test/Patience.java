package io.asynq.test;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Tests wait so long that only a defect times out, even on a slow machine, and poll so
 * often that none waits longer than necessary.
 */
public final class Patience implements LauncherSessionListener {

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
		Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
	}

}
