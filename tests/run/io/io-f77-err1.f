C     IOSTAT and IOMSG of errors
      PROGRAM E1
      CHARACTER*80 MSG
      OPEN(20, FILE='/nonexistent/x', STATUS='OLD', IOSTAT=I,
     + IOMSG=MSG)
      PRINT *, I, MSG
      OPEN(20, FILE='nosuchfile', STATUS='OLD', ERR=10)
      PRINT *, 'no'
   10 PRINT *, 'err'
      READ(*, '(I5)', IOSTAT=I, IOMSG=MSG) K
      PRINT *, I, MSG
      READ(*, *, IOSTAT=I, IOMSG=MSG) K
      PRINT *, I, MSG
      READ(*, '(F5.1)', IOSTAT=I, IOMSG=MSG) X
      PRINT *, I, MSG
      READ(*, '(L3)', IOSTAT=I, IOMSG=MSG) K
      PRINT *, I, MSG
      READ(*, '(A)', IOSTAT=I, IOMSG=MSG)
      PRINT *, I, MSG
      READ(*, *, IOSTAT=I, IOMSG=MSG) X
C     Which one depends on -std=.
      PRINT *, I .GT. 0
      END
