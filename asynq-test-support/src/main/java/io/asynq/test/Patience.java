package io.asynq.test;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets how long tests wait: so long that only a defect times out, even on a slow machine.
 * They poll often, so that no test waits longer than necessary.
 */
public final class Patience implements LauncherSessionListener {

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
		Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
	}

}
