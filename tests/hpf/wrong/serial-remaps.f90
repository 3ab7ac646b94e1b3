! Serial remaps.
! expect error T0451 11 7: REDISTRIBUTE in an HPF_SERIAL procedure
program wrong
  real :: x(10)
  call s(x)
end program
extrinsic(hpf_serial) subroutine s(x)
  real :: x(10)
!HPF$ DYNAMIC x
  x = 1
!HPF$ REDISTRIBUTE x(BLOCK)
end subroutine
