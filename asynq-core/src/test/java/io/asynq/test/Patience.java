package io.asynq.test;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long tests wait for what must happen: so long that only a defect gets there, on
 * however slow a machine.
 */
public final class Patience implements LauncherSessionListener {

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
	}

}
