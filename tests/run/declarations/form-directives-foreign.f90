! Directives of other systems in comments mean nothing.
program p
!$foo bar
!DIR$ IVDEP
!PGI$ novector
!IBM* ASSERT (NODEPS)
!FCD$ something
!DEC$ ATTRIBUTES DLLEXPORT :: x
!MS$ATTRIBUTES x
!$acc kernels
!NEC$ ivdep
!CDIR NODEP
!OCL NORECURRENCE
!pgi$r x
!dir$ vector aligned
!$ivdep
!$TAF x
!$AD x
!DIR$ UNROLL (
!GCC$ unroll 4
  do i = 1, 3
    print *, i
  end do
!$par doall
!$acc end kernels
end program
