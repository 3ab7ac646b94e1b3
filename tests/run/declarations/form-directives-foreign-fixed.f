C Directives of other systems in comments mean nothing.
      program p
C$foo bar
*DIR$ IVDEP
cPGI$ novector
CIBM* ASSERT (NODEPS)
!FCD$ something
CDEC$ ATTRIBUTES DLLEXPORT :: x
CMS$ATTRIBUTES x
C$acc kernels
CNEC$ ivdep
CCDIR NODEP
COCL NORECURRENCE
Cpgi$r x
Cdir$ vector aligned
C$ivdep
C$TAF x
C$AD x
CDIR$ UNROLL (
CGCC$ unroll 4
            do i = 1, 3
        print *, i
      end do
C$par doall
C$acc end kernels
      end program
