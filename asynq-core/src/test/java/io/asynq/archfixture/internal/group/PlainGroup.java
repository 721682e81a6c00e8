package io.asynq.archfixture.internal.group;

public final class PlainGroup {

}
