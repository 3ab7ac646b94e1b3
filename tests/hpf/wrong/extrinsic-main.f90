! Extrinsic main.
! expect error T0450 3 3: cannot be HPF_LOCAL
extrinsic(hpf_local) program wrong
  print *, 1
end program
