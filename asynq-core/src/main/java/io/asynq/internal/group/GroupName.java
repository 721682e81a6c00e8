package io.asynq.internal.group;

public record GroupName(String queue, String group) {

	@Override
	public String toString() {
		return "group '" + this.group + "' of queue '" + this.queue + "'";
	}

}
