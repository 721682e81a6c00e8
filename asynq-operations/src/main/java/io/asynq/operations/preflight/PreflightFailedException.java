package io.asynq.operations.preflight;

import java.util.List;

import io.asynq.AsynqException;

public final class PreflightFailedException extends AsynqException {

	private final transient List<Finding> findings;

	PreflightFailedException(List<Finding> findings) {
		super("The server does not start: " + findings.get(0).problem()
				+ ((findings.size() > 1) ? " (and " + (findings.size() - 1) + " more findings)" : ""));
		this.findings = findings;
	}

	public List<Finding> findings() {
		return this.findings;
	}

}
