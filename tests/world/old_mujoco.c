// Stands in for a MuJoCo of another version (VERSION), or one without its functions.
int mj_version(void);

int mj_version(void) {
    return VERSION;
}
